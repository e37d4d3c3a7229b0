import { and, eq, isNull } from 'drizzle-orm'
import { type Provider, providerLabels } from '../../../contract/enumerations'
import type { ChatInput } from '../../../contract/thread'
import type { FragmentView } from '../../../contract/views/fragment'
import type { ChatEvent, MessageView } from '../../../contract/views/thread'
import type { Database } from '../../../db/database'
import { fragments as fragmentTable } from '../../../db/schema/addresses'
import { collections, sources } from '../../../db/schema/collections'
import type { Actor } from '../../actor'
import { AnswerFailed, type AnswerStep, answer, nothingFound, type Retrieve } from '../../engine/answering/answer'
import type { ChatModel } from '../../engine/ports'
import { AppError, isAppError } from '../../errors'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { type AgentRow, findAgent, keyData } from '../agents/agents'
import type { Organizations } from '../organizations/organizations'
import type { Search } from '../search/search'
import { type ChatMeta, createConversations, type Outcome } from './chat-store'

export interface ChatDeps {
  db: Database
  search: Pick<Search, 'find'>
  organizations: Pick<Organizations, 'planOf'>
  sealer: Pick<Sealer, 'open'>
  models: Record<Provider, ChatModel>
  /** Keys of the server's configuration, for agents without one of their own. */
  serverKeys: Record<Provider, string | null>
  log: Record<'warn' | 'error', (details: object, message: string) => void>
}

type AnswerEnd = Extract<AnswerStep, { kind: 'end' }>

const failedTitle = 'Failed to process your request with Chat API'
const failedMessage = 'Please try again later. Contact support if issue persists.'
const stoppingMessage = 'The server is stopping. Ask again in a moment.'

export function createChat({ db, search, organizations, sealer, models, serverKeys, log }: ChatDeps) {
  const conversations = createConversations({ db, organizations })
  const running = new Map<AbortController, Promise<void>>()
  let stopping = false

  /**
   * Answers one message, in a new thread when none is named: 'sources-found', 'text-delta' as it comes, 'text-end', then
   * 'answer-end' or 'answer-error' with what was stored. Rejects with an AppError before the first event only. When
   * `signal` aborts or the reader leaves, the model is stopped and what had come is kept and marked. When the server
   * stops, too, and the last event is an 'answer-error' that says so.
   */
  async function* reply(
    actor: Actor,
    organizationId: string,
    agentId: string,
    input: ChatInput,
    meta: ChatMeta,
    signal: AbortSignal,
  ): AsyncGenerator<ChatEvent> {
    if (stopping) throw new AppError('unavailable', stoppingMessage)
    const stopped = new AbortController()
    let ended = () => {}
    const end = new Promise<void>((resolve) => {
      ended = resolve
    })
    running.set(stopped, end)
    try {
      yield* replyUntil(stopped.signal, actor, organizationId, agentId, input, meta, signal)
    } finally {
      running.delete(stopped)
      ended()
    }
  }

  /** Ends the running answers, each with its last event; later ones are refused. Resolves when all have ended. */
  async function stop(): Promise<void> {
    stopping = true
    for (const stopped of running.keys()) stopped.abort()
    await Promise.all(running.values())
  }

  async function* replyUntil(
    stopped: AbortSignal,
    actor: Actor,
    organizationId: string,
    agentId: string,
    input: ChatInput,
    meta: ChatMeta,
    reader: AbortSignal,
  ): AsyncGenerator<ChatEvent> {
    authorize(actor, 'agent:chat', organizationId)
    const signal = AbortSignal.any([reader, stopped])
    const agent = await findAgent(db.read, organizationId, agentId)
    const ready = await makeReady(agent)
    checkLength(input.prompt, agent.messageLength)

    const exchange = await conversations.begin(actor, agent, input, meta)
    const { threadId } = exchange
    const startedAt = performance.now()
    const question = { question: input.prompt, history: exchange.history, ...settingsOf(agent), ...ready }
    const deps = {
      retrieve: retrieveFrom(ready.collectionId, meta.language ?? null),
      chatModel: models[ready.provider],
    }
    let fragments: FragmentView[] = []
    let text = ''
    let end: AnswerEnd | null = null
    let failure: unknown = null
    let message: MessageView
    try {
      for await (const step of answer(deps, question, signal)) {
        if (step.kind === 'sources') {
          fragments = step.fragments
          yield { type: 'sources-found', threadId, messageId: exchange.answerId, fragments }
        } else if (step.kind === 'text') {
          text += step.text
          yield { type: 'text-delta', text: step.text }
        } else {
          end = step
          yield { type: 'text-end' }
        }
      }
    } catch (error) {
      failure = error
    } finally {
      // A reader who leaves ends the generator at a yield: only this part still runs.
      const tookMs = end?.tookMs ?? Math.round(performance.now() - startedAt)
      message = await conversations.end(exchange, { ...outcomeOf(text, end, failure, agent), text, fragments, tookMs })
    }
    const partial = text === '' ? null : message
    if (failure === null) {
      const cut = stopped.aborted && end?.reason === 'stopped'
      yield cut
        ? { type: 'answer-error', threadId, title: failedTitle, message: stoppingMessage, partial }
        : { type: 'answer-end', threadId, message }
      return
    }
    report(failure, agent)
    // The first event has not been sent yet.
    if (fragments.length === 0) throw failure
    yield { type: 'answer-error', threadId, title: failedTitle, message: messageOf(failure), partial }
  }

  /** Throws what a person can act on when the agent cannot answer. */
  async function makeReady(agent: AgentRow) {
    const { collectionId, provider, model } = agent
    if (collectionId === null || !(await hasFragments(collectionId))) throw nothingFound()
    if (provider === null || model === null) {
      throw new AppError(
        'conflict',
        'This agent has no AI provider yet. An administrator chooses one in Agent Settings. Search works without it.',
      )
    }
    return { collectionId, provider, model, apiKey: keyFor(agent, provider) }
  }

  async function hasFragments(collectionId: string): Promise<boolean> {
    const [one] = await db.read
      .select({ key: fragmentTable.key })
      .from(fragmentTable)
      .innerJoin(collections, eq(collections.id, fragmentTable.collectionId))
      .innerJoin(sources, eq(sources.id, fragmentTable.sourceId))
      .where(
        and(eq(fragmentTable.collectionId, collectionId), isNull(collections.deletedAt), isNull(sources.deletedAt)),
      )
      .limit(1)
    return one !== undefined
  }

  /** The agent's own key, else the server's. */
  function keyFor(agent: AgentRow, provider: Provider): string {
    if (agent.providerKey !== null) {
      if (agent.providerKeyRefused) {
        throw new AppError(
          'conflict',
          `${providerLabels[provider]} refused this agent's API key. An administrator saves a valid one in Agent Settings.`,
        )
      }
      return sealer.open(agent.providerKey, keyData(agent.organizationId))
    }
    const key = serverKeys[provider]
    if (key !== null) return key
    throw new AppError(
      'conflict',
      `This agent has no API key for ${providerLabels[provider]} yet. An administrator saves one in Agent Settings. Search works without it.`,
    )
  }

  function retrieveFrom(collectionId: string, preferredLanguage: string | null): Retrieve {
    return async (query, options) =>
      (await search.find({ collectionId, query, preferredLanguage, ...options })).fragments
  }

  function report(failure: unknown, { id: agentId, provider, model }: AgentRow): void {
    if (failure instanceof AnswerFailed) {
      const details = { agentId, provider, model, failure: failure.failure, err: failure.cause }
      log.warn(details, 'A model provider failed.')
    } else if (!isAppError(failure)) {
      log.error({ agentId, err: failure }, 'An answer failed.')
    }
  }

  return { reply, stop, endLost: conversations.endLost }
}

export type Chat = ReturnType<typeof createChat>

function checkLength(prompt: string, most: number): void {
  if (prompt.length <= most) return
  const message = `A message to this agent can have at most ${most} characters.`
  throw new AppError('invalid_input', message, {
    details: { title: 'Failed to send message', fields: { prompt: [message] } },
  })
}

function settingsOf(agent: AgentRow) {
  return {
    system: agent.prompt,
    fragmentLimit: agent.fragmentLimit,
    similarity: agent.fragmentSimilarity,
    historyLimit: agent.historyLimit,
    maxOutputTokens: agent.maxTotalOutputTokens,
  }
}

function outcomeOf(
  text: string,
  end: AnswerEnd | null,
  failure: unknown,
  agent: AgentRow,
): Omit<Outcome, 'text' | 'fragments' | 'tookMs'> {
  const { tokensInput = null, tokensOutput = null } = end ?? {}
  const keyRefused = failure instanceof AnswerFailed && failure.failure === 'refused-key' && agent.providerKey !== null
  const whole = failure === null && end !== null && end.reason !== 'stopped'
  return { tokensInput, tokensOutput, keyRefused, whole, problem: problemOf(text, end, failure) }
}

function problemOf(text: string, end: AnswerEnd | null, failure: unknown): string | null {
  if (failure !== null) return isAppError(failure) ? (failure.details.title ?? failure.message) : messageOf(failure)
  if (end === null || end.reason === 'stopped')
    return text === '' ? 'Stopped before the answer.' : 'Stopped before the end of the answer.'
  return end.reason === 'length' ? 'The answer reached the output token limit.' : null
}

function messageOf(failure: unknown): string {
  return failure instanceof AnswerFailed ? failure.message : failedMessage
}
