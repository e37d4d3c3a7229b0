import { adminCalls } from './api-calls-admin'
import { agentCalls } from './api-calls-agents'
import { contentCalls } from './api-calls-content'
import { organizationCalls } from './api-calls-organizations'
import { sourceCalls } from './api-calls-sources'
import { visitorCalls } from './api-calls-visitors'
import type { ApiEndpoint } from './api-endpoint'

/** Every call of /v1. */
export const apiEndpoints: ApiEndpoint[] = [
  ...organizationCalls,
  ...contentCalls,
  ...sourceCalls,
  ...agentCalls,
  ...visitorCalls,
  ...adminCalls,
]
