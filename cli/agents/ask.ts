import type { Command } from 'commander'
import { type ChatInput, chatSchema } from '../../contract/chat/thread'
import { reasoningNotice } from '../../contract/texts/chat/reasoning-notice'
import { agentStatuses, providers } from '../../contract/values/enumerations'
import type { AgentView } from '../../contract/views/chat/agent'
import type { FragmentView } from '../../contract/views/chat/fragment'
import type { ChatEvent } from '../../contract/views/chat/thread'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { hasServerKey } from '../../server/config/provider-settings'
import { isAppError } from '../../server/errors'
import { commandLineVisitor } from '../../server/local-server'
import type { AgentRef } from '../../server/services/agents/agents'
import type { ThreadRef } from '../../server/services/chat/threads/threads'
import { chooseCollection, chooseOrganization, listed } from '../accounts/organization'
import { type Cli, examples, globalsOf } from '../cli'
import { CommandError, type Globals, type Io, printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'
import { placeOf } from '../search/place'
import { findAgent, listAgents } from './agents'
import { askServer } from './ask-server'

interface Options {
  agent?: string
  collection?: string
  thread?: string
}

export function addAsk(program: Command, cli: Cli): void {
  program
    .command('ask')
    .summary('ask an agent')
    .description(
      'Asks an agent and prints its answer as it is generated, then the sources. Needs the key of a model provider.',
    )
    .argument('<question...>', 'what you want to know')
    .option('--agent <name>', 'agent to ask, by name or id (default: the only one; created if there is none)')
    .option('--collection <name>', 'collection to answer from, by name or id')
    .option('--thread <id>', 'thread to continue, with its agent')
    .addHelpText(
      'after',
      examples(
        'ask "When are you open on Sundays?"',
        'ask "How do I change the battery?" --collection Website',
        'ask "What does it cost?" --agent Support --json',
        'ask "And on Mondays?" --thread 2Qd7hTqkJ0nZ',
      ),
    )
    .action(async (words: string[], options: Options, command: Command) => {
      await ask(cli.io, words.join(' '), options, globalsOf(command))
    })
}

async function ask(io: Io, question: string, options: Options, { organization, json }: Globals): Promise<void> {
  const parsed = chatSchema.safeParse({ prompt: question, threadId: options.thread })
  if (!parsed.success) throw new UsageError(parsed.error.issues[0]?.message ?? 'This is not a question.')
  await withApp(io, async (app, server) => {
    const organizationId = await chooseOrganization(app, organization)
    const { thread } = options
    const agent = await (thread === undefined
      ? chooseAgent(app, organizationId, options)
      : agentOfThread(app, { organizationId, threadId: thread }, options))
    if (agent.status === agentStatuses.noProviderKey) throw new CommandError(noKey)
    const ref = { organizationId, agentId: agent.id }
    const events = server
      ? askServer(server, ref, parsed.data, io.signal)
      : answerHere(app, ref, parsed.data, io.signal)
    if (json) printJson(io, await collect(events))
    else await print(io, events)
  })
}

async function* answerHere(app: App, ref: AgentRef, input: ChatInput, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  await app.startEmbedding()
  const { collection_id: collectionId } = await app.services.agents.get(system, ref)
  if (collectionId !== null) await app.services.embedding.load(collectionId)
  yield* app.services.chat.reply(system, ref, input, commandLineVisitor, signal)
}

const variables = providers.map((provider) => `${provider.toUpperCase()}_API_KEY`)
const noKey = `There is no key of a model provider. Set ${variables.slice(0, -1).join(', ')} or ${variables.at(-1)} in .env, or save a key in Agent Settings. Search works without one.`

/** The agent that answers in a thread does not change. */
async function agentOfThread(app: App, ref: ThreadRef, { agent, collection }: Options): Promise<AgentView> {
  if (agent !== undefined || collection !== undefined) {
    throw new UsageError('A thread keeps its agent and its collection. Omit --agent and --collection.')
  }
  const { agent_id: agentId } = await app.services.threads.get(system, ref).catch((error: unknown) => {
    if (isAppError(error) && error.code === 'not_found') throw new UsageError(`There is no thread '${ref.threadId}'.`)
    throw error
  })
  if (agentId === null) throw new CommandError('The agent of this thread was deleted. Ask without --thread.')
  return app.services.agents.get(system, { organizationId: ref.organizationId, agentId })
}

async function chooseAgent(app: App, organizationId: string, options: Options): Promise<AgentView> {
  if (options.agent !== undefined) {
    const agent = await findAgent(app, organizationId, options.agent)
    if (options.collection === undefined) return agent
    const { id } = await chooseCollection(app, organizationId, options.collection)
    if (agent.collection_id === id) return agent
    throw new UsageError(
      `Agent '${agent.name}' answers from another collection. Omit --collection, or choose another agent.`,
    )
  }
  const all = await listAgents(app, organizationId)
  if (options.collection === undefined && all.length > 0) return onlyOne(all)
  const collection = await chooseCollection(app, organizationId, options.collection)
  const linked = all.filter((agent) => agent.collection_id === collection.id)
  return linked.length > 0 ? onlyOne(linked) : makeAgent(app, organizationId, collection, all)
}

function onlyOne(all: AgentView[]): AgentView {
  const [first, second] = all
  if (first && !second) return first
  throw new UsageError(`There are several agents. Choose one with --agent:\n${listed(all)}`)
}

async function makeAgent(
  app: App,
  organizationId: string,
  collection: { id: string; name: string },
  all: AgentView[],
): Promise<AgentView> {
  if (!providers.some((provider) => hasServerKey(app.config.providers[provider]))) throw new CommandError(noKey)
  const name = all.some((agent) => agent.name === 'Local') ? collection.name : 'Local'
  const { id } = await app.services.agents.create(system, organizationId, { name, description: '', useDefaults: true })
  return app.services.agents.link(system, { organizationId, agentId: id }, { collectionId: collection.id })
}

/** Prints the answer as it comes on a terminal, and at its end anywhere else, where no text can be withdrawn. */
async function print(io: Io, events: AsyncIterable<ChatEvent>): Promise<void> {
  let fragments: FragmentView[] = []
  let cited: number[] = []
  let threadId = ''
  let text = ''
  let printed = 0
  const printText = () => {
    io.out(text.slice(printed))
    printed = text.length
  }
  for await (const event of events) {
    if (event.type === 'sources-found') fragments = event.fragments
    else if (event.type === 'text-delta') {
      // Without fragments, the text is not the model's.
      text += fragments.length > 0 ? withoutLinks(event.text) : plainText(event.text)
      if (io.isTerminal) printText()
    } else if (event.type === 'text-discard') {
      if (printed > 0) io.out(reasoningNotice)
      text = ''
      printed = 0
    } else if (event.type === 'text-end') {
      text += '\n'
      printText()
    } else if (event.type === 'answer-error') {
      if (text !== '') text += '\n'
      printText()
      throw new CommandError(`${event.title}. ${event.message}`)
    } else {
      // A stopped answer has no end of its text.
      printText()
      cited = event.cited
      threadId = event.threadId
      if (event.message.status_message) io.err(`${event.message.status_message}\n`)
    }
  }
  if (cited.length > 0) printLines(io, ['', 'Sources:', ...sourceLines(cited, fragments)])
  if (threadId !== '') io.err(`Thread ${threadId} (continue it with --thread)\n`)
}

/** The list of sources has the addresses of citations. A citation is never split between two texts. */
function withoutLinks(text: string): string {
  return plainLinks(text.replace(/(\[\d{1,2}\])\([^\s)]*\)/g, '$1'), unescaped)
}

/** Markdown as it is read, with the addresses of its links. */
function plainText(markdown: string): string {
  return unescaped(plainLinks(markdown, (title) => title))
}

function plainLinks(markdown: string, titleOf: (title: string) => string): string {
  const link = /\[((?:[^[\]\\]|\\.)+)\]\((https?:[^\s)]*)\)/g
  return markdown.replace(link, (_, title: string, address: string) => `${titleOf(title)} (${address})`)
}

function unescaped(markdown: string): string {
  return markdown.replace(/\\([\\`*_[\]<~])/g, '$1')
}

/** The sources that the answer cites, in its order. */
function sourceLines(cited: number[], fragments: FragmentView[]): string[] {
  return cited.flatMap((number) => {
    const fragment = fragments[number - 1]
    return fragment ? `  [${number}] ${fragment.title || fragment.url}  ${placeOf(fragment)}` : []
  })
}

async function collect(events: AsyncIterable<ChatEvent>) {
  for await (const event of events) {
    if (event.type === 'answer-error') throw new CommandError(`${event.title}. ${event.message}`)
    if (event.type !== 'answer-end') continue
    const { content, provider, model, verdict, fragments } = event.message
    const sources = event.cited.flatMap((number) => {
      const fragment = fragments[number - 1]
      if (!fragment) return []
      const { id, score, url, link, title, headings } = fragment
      return { number, id, score, url, link, title, headings }
    })
    return { answer: content, thread_id: event.threadId, provider, model, verdict, sources }
  }
  throw new CommandError('The answer ended too early.')
}
