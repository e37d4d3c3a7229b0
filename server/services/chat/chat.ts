import type { Provider } from '../../../contract/enumerations'
import type { ChatInput } from '../../../contract/thread'
import type { FragmentView } from '../../../contract/views/fragment'
import type { ChatEvent, MessageView } from '../../../contract/views/thread'
import type { Database } from '../../../db/database'
import type { Actor } from '../../actor'
import { AnswerFailed, type AnswerStep, answer, type Retrieve } from '../../engine/answering/answer'
import type { ChatModel } from '../../engine/ports'
import { AppError, isAppError } from '../../errors'
import { authorizeAgent } from '../../policy'
import type { Sealer } from '../../sealing'
import type { AgentRow } from '../agents/agent-views'
import { type AgentRef, findAgent } from '../agents/agents'
import type { Organizations } from '../organizations/organizations'
import type { Search } from '../search/search'
import { type ChatMeta, createChatStore, type Outcome } from './chat-store'
import { assertPromptLength, prepareAnswer, type ServerKeys } from './prepare-answer'

export interface ChatDeps {
  db: Database
  search: Pick<Search, 'find'>
  organizations: Pick<Organizations, 'planOf'>
  sealer: Pick<Sealer, 'open'>
  models: Record<Provider, ChatModel>
  serverKeys: ServerKeys
  log: Record<'warn' | 'error', (details: object, message: string) => void>
}

type AnswerEnd = Extract<AnswerStep, { kind: 'end' }>

const failedTitle = 'Failed to process your request with Chat API'
const failedMessage = 'Please try again later. Contact support if issue persists.'
const stoppingMessage = 'The server is stopping. Ask again in a moment.'

export function createChat({ db, search, organizations, sealer, models, serverKeys, log }: ChatDeps) {
  const store = createChatStore({ db, organizations })
  const running = new Map<AbortController, Promise<void>>()
  let stopping = false

  /**
   * Answers a message, in a new thread without a `threadId`. Yields 'sources-found', 'text-delta' while the model
   * generates, 'text-end', then 'answer-end' or 'answer-error' with the stored message. Throws AppError only before the
   * first event. If `signal` aborts or the consumer returns, the model is stopped, and the partial text is stored as
   * incomplete. The same happens when the server stops; the last event is then an 'answer-error' that says so.
   */
  async function* reply(
    actor: Actor,
    ref: AgentRef,
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
      yield* replyUntil(stopped.signal, actor, ref, input, meta, signal)
    } finally {
      running.delete(stopped)
      ended()
    }
  }

  /** Stops the running answers, each with its last event, and rejects new ones. Resolves when all have ended. */
  async function stop(): Promise<void> {
    stopping = true
    for (const stopped of running.keys()) stopped.abort()
    await Promise.all(running.values())
  }

  async function* replyUntil(
    stopped: AbortSignal,
    actor: Actor,
    ref: AgentRef,
    input: ChatInput,
    meta: ChatMeta,
    reader: AbortSignal,
  ): AsyncGenerator<ChatEvent> {
    authorizeAgent(actor, 'agent:chat', ref)
    const agent = await findAgent(db.read, ref)
    const prepared = await prepareAnswer({ queries: db.read, sealer, serverKeys }, agent)
    assertPromptLength(input.prompt, agent)

    const exchange = await store.saveQuestion(actor, agent, input, meta)
    const { threadId } = exchange
    const deps = {
      retrieve: retrieveFrom(ref.organizationId, prepared.collectionId, meta.language ?? null),
      chatModel: models[prepared.provider],
    }
    const question = { ...prepared, question: input.prompt, history: exchange.history }
    const startedAt = performance.now()
    let fragments: FragmentView[] = []
    let text = ''
    let end: AnswerEnd | null = null
    let failure: unknown = null
    let message: MessageView
    try {
      for await (const step of answer(deps, question, AbortSignal.any([reader, stopped]))) {
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
      // When the consumer returns at a yield, only this block still runs.
      const tookMs = end?.tookMs ?? Math.round(performance.now() - startedAt)
      const outcome = { ...outcomeOf(text, end, failure, agent), text, fragments, tookMs }
      message = await store.saveAnswer(exchange, outcome)
    }
    const partial = text === '' ? null : message
    if (failure === null) {
      const isStoppedByServer = stopped.aborted && end?.reason === 'stopped'
      yield isStoppedByServer
        ? { type: 'answer-error', threadId, title: failedTitle, message: stoppingMessage, partial }
        : { type: 'answer-end', threadId, message }
      return
    }
    report(failure, agent)
    // The first event has not been sent yet.
    if (fragments.length === 0) throw failure
    yield { type: 'answer-error', threadId, title: failedTitle, message: messageOf(failure), partial }
  }

  function retrieveFrom(organizationId: string, collectionId: string, preferredLanguage: string | null): Retrieve {
    return async (query, options) => {
      const request = { collectionId, query, preferredLanguage, ...options }
      return search.find(organizationId, request)
    }
  }

  function report(failure: unknown, { id: agentId, provider, model }: AgentRow): void {
    if (failure instanceof AnswerFailed) {
      const details = { agentId, provider, model, failure: failure.failure, err: failure.cause }
      log.warn(details, 'A model provider failed.')
    } else if (!isAppError(failure)) {
      log.error({ agentId, err: failure }, 'An answer failed.')
    }
  }

  return { reply, stop, failOrphaned: store.failOrphaned }
}

export type Chat = ReturnType<typeof createChat>

function outcomeOf(
  text: string,
  end: AnswerEnd | null,
  failure: unknown,
  agent: AgentRow,
): Omit<Outcome, 'text' | 'fragments' | 'tookMs'> {
  const { tokensInput = null, tokensOutput = null } = end ?? {}
  const keyRefused = failure instanceof AnswerFailed && failure.failure === 'refused-key' && agent.providerKey !== null
  const isComplete = failure === null && end !== null && end.reason !== 'stopped'
  return { tokensInput, tokensOutput, keyRefused, isComplete, problem: problemOf(text, end, failure) }
}

function problemOf(text: string, end: AnswerEnd | null, failure: unknown): string | null {
  if (failure !== null) return isAppError(failure) ? (failure.details.title ?? failure.message) : messageOf(failure)
  if (end === null || end.reason === 'stopped')
    return text === '' ? 'Stopped before the answer.' : 'Stopped before the end of the answer.'
  if (end.reason === 'filtered') return 'The provider ended the answer with its content filter.'
  return end.reason === 'length' ? 'The answer reached the output token limit.' : null
}

function messageOf(failure: unknown): string {
  return failure instanceof AnswerFailed ? failure.message : failedMessage
}
