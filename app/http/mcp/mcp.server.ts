import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CancelledNotificationSchema, isInitializeRequest, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Actor } from '../../../server/actor'
import { product } from '../../product'
import { type McpCall, registerTools } from './tools.server'

const sessionHeader = 'Mcp-Session-Id'

const serverInfo = { name: 'sitelore', title: product.name, version: '1' }
const instructions =
  'Search the websites and files that an organization has indexed, and ask questions about them. Call list_sources to see the agents and collections. Use search to read passages, and ask to get an answer with citations. Keep the links of the citations in what you write.'

/**
 * Responds to a message of the Model Context Protocol. Keeps no session: each message has a server of its own. The session
 * id only tells clients with the same credential apart, so that one can cancel its calls and no others.
 */
export async function mcpResponse(call: McpCall): Promise<Response> {
  const { request, context, actor, body: message } = call
  const { runningCalls } = context.services
  const session = request.headers.get(sessionHeader)
  const keyOf = (id: string | number) => (session ? JSON.stringify([ownerOf(actor), session, id]) : null)
  const cancelled = CancelledNotificationSchema.safeParse(message)
  const cancelledKey = cancelled.success && keyOf(cancelled.data.params.requestId ?? '')
  if (cancelledKey) runningCalls.cancel(cancelledKey)

  const key = isJSONRPCRequest(message) ? keyOf(message.id) : null
  return runningCalls.cancellable(key, context.signal, async (signal) => {
    const server = new McpServer(serverInfo, { instructions })
    registerTools(server, call, signal)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      const response = await transport.handleRequest(request, { parsedBody: message })
      if (response.ok && isInitializeRequest(message)) response.headers.set(sessionHeader, crypto.randomUUID())
      return response
    } finally {
      await server.close()
    }
  })
}

function ownerOf(actor: Actor): string {
  if (actor.kind === 'key') return actor.agentId
  return actor.kind === 'person' ? actor.userId : actor.kind
}
