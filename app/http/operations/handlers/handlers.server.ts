import { openApiDocument } from '../../../../contract/api/openapi/openapi'
import type { operations } from '../../../../contract/api/operations'
import type { Handlers } from '../../api/handler.server'
import { adminHandlers } from './admin.server'
import { agentHandlers } from './agents.server'
import { chatHandlers } from './chat.server'
import { collectionHandlers } from './collections.server'
import { organizationHandlers } from './organizations.server'
import { sourceHandlers } from './sources.server'
import { visitorHandlers } from './visitors.server'

/** What each operation of the HTTP API does. */
export const handlers = {
  ...organizationHandlers,
  ...collectionHandlers,
  ...sourceHandlers,
  ...agentHandlers,
  ...chatHandlers,
  ...visitorHandlers,
  ...adminHandlers,

  getDescription: ({ context }) => openApiDocument(context.settings.publicUrl),

  // Loaded with the first call: the library takes 11 MB of memory.
  sendMcpMessage: async (call) => (await import('../../mcp/mcp.server')).mcpResponse(call),
} satisfies Handlers<typeof operations>
