import { adminOperations } from './admin'
import { agentOperations } from './agents'
import { chatOperations } from './chat'
import { collectionOperations } from './collections'
import { descriptionOperations } from './description'
import { mcpOperations } from './mcp'
import type { Operations } from './operation'
import { organizationOperations } from './organizations'
import { sourceOperations } from './sources'
import { visitorOperations } from './visitors'

/** Every call of the HTTP API. The router, the description, the reference and the tests read this table. */
export const operations = {
  ...organizationOperations,
  ...collectionOperations,
  ...sourceOperations,
  ...agentOperations,
  ...chatOperations,
  ...visitorOperations,
  ...adminOperations,
  ...descriptionOperations,
  ...mcpOperations,
} satisfies Operations
