import { z } from 'zod'
import { operation } from '../../contract/api/operation'
import { apiOfPrograms, methods, withoutCors } from '../http/api/api.server'

/** Not in the description of /v1: the protocol describes its own messages. */
const messages = operation({
  id: 'mcp',
  method: 'POST',
  path: '/mcp',
  summary: 'Messages of the Model Context Protocol',
  callers: 'person-or-key',
  body: z.looseObject({}),
})

/** The Model Context Protocol, as streamable HTTP without sessions and without a stream of the server's own messages. */
const route = withoutCors(
  methods({
    POST: apiOfPrograms({
      operation: messages,
      meteredByHandler: true,
      // Loaded with the first call: the library takes 11 MB of memory.
      handler: async (call) => (await import('../http/mcp/mcp.server')).mcpResponse(call),
    }),
  }),
)

export const loader = route
export const action = route
