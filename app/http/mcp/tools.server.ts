import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import { type mcpOperations, type Tool, tools } from '../../../contract/api/mcp'
import {
  type AskResult,
  type AskToolInput,
  type Catalog,
  type ListToolInput,
  maxToolContent,
  type SearchResult,
  type SearchToolInput,
} from '../../../contract/chat/mcp'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import { AppError, isAppError } from '../../../server/errors'
import type { Call } from '../api/handler.server'
import { titleOf, unexpected } from '../api/problem.server'
import { visitorMeta } from '../api/visitor-meta.server'
import { visitorLanguage } from '../session/visitor-language.server'
import { completeAnswer } from '../streams/chat-answer.server'
import { catalogText, citationLine, passageText } from './tool-texts.server'

const reading = { readOnlyHint: true, openWorldHint: false }
const asking = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

export type McpCall = Call<(typeof mcpOperations)['sendMcpMessage']>

/** What a tool returns: structured content, and a text for clients that show only this. */
interface ToolResult<Content> {
  text: string
  content: Content
}

/** A call of a tool; its signal aborts if the client cancels it or disconnects. */
type ToolHandler<Row extends Tool> = (
  call: McpCall,
  input: z.output<Row['input']>,
  signal: AbortSignal,
) => Promise<ToolResult<z.input<Row['output']>>>

const toolHandlers = { search, ask, list_sources: listSources } satisfies {
  [Name in keyof typeof tools]: ToolHandler<(typeof tools)[Name]>
}

/** Registers the tools for one call. */
export function registerTools(server: McpServer, call: McpCall, signal: AbortSignal): void {
  for (const [name, tool] of Object.entries(tools)) {
    const { title, description, input, output, isReadOnly } = tool
    const handler = toolHandlers[name as keyof typeof tools] as ToolHandler<Tool>
    const config = {
      title,
      description,
      inputSchema: input,
      outputSchema: output,
      annotations: isReadOnly ? reading : asking,
    }
    server.registerTool(name, config, (fields: Record<string, unknown>) =>
      orToolError(call, async () => {
        const { text, content } = await handler(call, fields, signal)
        return { content: [{ type: 'text', text }], structuredContent: content }
      }),
    )
  }
}

async function search(
  { services, actor, request }: McpCall,
  { query, agent, collection, limit }: SearchToolInput,
  signal: AbortSignal,
): Promise<ToolResult<SearchResult>> {
  const wanted = { query, limit, preferredLanguage: visitorLanguage(request) }
  if (agent !== undefined && collection !== undefined)
    throw new AppError(
      'invalid_input',
      'Name an agent or a collection, not both: an agent searches its own collection.',
    )
  const named = collection === undefined ? null : await services.catalog.collectionFor(actor, collection)
  // A key searches with its agent; the collection that it reaches is the agent's.
  const searched = named && actor.kind === 'person' ? named : await services.catalog.agentFor(actor, agent ?? null)
  const { organizationId } = searched
  const found = await services.monthlyLimits.count(actor, organizationId, 'apiRequests', () =>
    'agentId' in searched
      ? services.search.agent(actor, searched, wanted, signal)
      : services.search.collection(actor, organizationId, { ...wanted, ...searched }, signal),
  )
  const results = found.fragments.map((fragment, n) => ({
    ...numbered(fragment, n + 1),
    score: fragment.score,
    content: fragment.content.slice(0, maxToolContent),
  }))
  const text = results.length === 0 ? 'Nothing found.' : results.map(passageText).join('\n\n')
  return { text, content: { results } }
}

async function ask(
  { services, actor, request, context, reauthenticate }: McpCall,
  { question, agent, conversation }: AskToolInput,
  signal: AbortSignal,
): Promise<ToolResult<AskResult>> {
  const ref = await services.catalog.agentFor(actor, agent ?? null)
  const [threadId = '', token = ''] = conversation?.split('.') ?? []
  const answer = await services.monthlyLimits.count(actor, ref.organizationId, 'apiRequests', async () => {
    const caller = threadId ? await services.visitors.admit(actor, threadId, token || null) : actor
    const input = { prompt: question, ...(threadId ? { threadId } : {}) }
    const meta = visitorMeta(context, request)
    return completeAnswer(services.chat.reply(caller, ref, input, meta, signal, reauthenticate))
  })
  const { content, cited, fragments, verdict } = answer.message
  const citations = [...new Set(cited)].flatMap((number) => {
    const fragment = fragments[number - 1]
    return fragment ? numbered(fragment, number) : []
  })
  // A key continues a thread with the visitor's token, which only the first answer has.
  const key = answer.visitorToken ?? token
  const continued = key ? `${answer.threadId}.${key}` : answer.threadId
  const sources = citations.length === 0 ? [] : [`Sources:\n${citations.map(citationLine).join('\n')}`]
  const text = [content, ...sources].join('\n\n')
  return { text, content: { answer: content, verdict, citations, conversation: continued } }
}

async function listSources(
  { services, actor }: McpCall,
  { organization }: ListToolInput,
): Promise<ToolResult<Catalog>> {
  const named = organization === undefined ? null : (await services.catalog.organizationFor(actor, organization)).id
  // As elsewhere, a call counts toward the organization that it concerns.
  const counted = actor.kind === 'key' ? actor.organizationId : named
  const list = () => services.catalog.list(actor, named)
  const catalog: Catalog = await (counted === null
    ? list()
    : services.monthlyLimits.count(actor, counted, 'apiRequests', list))
  return { text: catalogText(catalog), content: catalog }
}

function numbered({ title, url, link }: FragmentView, number: number) {
  return { number, title, url, link }
}

/** An expected failure is a result that the model reads, so that it can correct its call or tell its user. */
async function orToolError({ context }: McpCall, work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error)) return toolError(`${titleOf(error)}: ${error.message}`)
    const isClosed = context.signal.aborted && error instanceof Error && error.name === 'AbortError'
    context.report(error, 'A tool failed', isClosed ? 'debug' : 'error')
    return toolError(unexpected)
  }
}

function toolError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
