import { accountCalls } from './account-calls'
import { adminCalls } from './admin-calls'
import { agentCalls } from './agent-calls'
import { contentCalls } from './content-calls'
import { organizationCalls } from './organization-calls'
import type { PageCall } from './page-call'
import { publicCalls } from './public-calls'

/** Every page and every form of a page, with each of its intents. */
export const pageCalls: PageCall[] = [
  ...publicCalls,
  ...accountCalls,
  ...organizationCalls,
  ...contentCalls,
  ...agentCalls,
  ...adminCalls,
]
