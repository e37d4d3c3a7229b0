import type { Provider } from '../../../contract/enumerations'
import { chatFailures } from '../../../contract/texts/chat-failures'
import type { ChatInput } from '../../../contract/thread'
import type { ChatEvent, MessageView } from '../../../contract/views/thread'
import type { Database } from '../../../db/database'
import type { Actor } from '../../actor'
import { nothingFoundReply } from '../../engine/answering/nothing-found'
import { buildPrompt } from '../../engine/answering/prompt'
import { searchQueryFor } from '../../engine/answering/search-query'
import { replyToSmallTalk } from '../../engine/answering/small-talk'
import type { ChatModel } from '../../engine/ports'
import { isAppError, isProviderError } from '../../errors'
import { authorizeAgent } from '../../policy'
import type { Sealer } from '../../sealing'
import type { AgentRow } from '../agents/agent-views'
import { type AgentRef, findAgent } from '../agents/agents'
import type { ServerKeys } from '../keys/agent-keys'
import type { Organizations } from '../organizations/organizations'
import type { Search } from '../search/search'
import { createAnswerDraft } from './answer-draft'
import { askModel } from './ask-model'
import { type ChatMeta, createChatStore } from './chat-store'
import { findEvidence } from './evidence'
import type { Moderation } from './moderation'
import { failureText, outcomeOf } from './outcome'
import { assertPromptLength, prepareAnswer } from './prepare-answer'
import { isPublicCaller, publicEvent } from './public-events'
import { createRunningAnswers, stoppingMessage } from './running-answers'

export interface ChatDeps {
  db: Database
  search: Pick<Search, 'find'>
  organizations: Pick<Organizations, 'planOf'>
  sealer: Pick<Sealer, 'open'>
  models: Record<Provider, ChatModel>
  moderation: Pick<Moderation, 'assertPrompt'>
  serverKeys: ServerKeys
  log: Record<'warn' | 'error', (details: object, message: string) => void>
}

export function createChat({ db, search, organizations, sealer, models, moderation, serverKeys, log }: ChatDeps) {
  const store = createChatStore({ db, organizations })
  const running = createRunningAnswers()

  /**
   * Answers a message, in a new thread without a `threadId`. Yields 'sources-found' as soon as the question is stored and
   * searched, 'text-delta' as the answer is written, 'text-end', then 'answer-end' or 'answer-error' with the stored
   * message. Throws AppError only before the question is stored. If `reader` aborts or the consumer returns, the model is
   * stopped and the partial text stored. If the server stops, the last event is an 'answer-error'.
   */
  async function* reply(
    actor: Actor,
    ref: AgentRef,
    input: ChatInput,
    meta: ChatMeta,
    reader: AbortSignal,
  ): AsyncGenerator<ChatEvent> {
    const server = running.start()
    try {
      const events = answer(actor, ref, input, meta, { reader, server: server.signal })
      for await (const event of events) yield isPublicCaller(actor) ? publicEvent(event) : event
    } finally {
      server.end()
    }
  }

  /** The steps of a message: authorize, store the question, search, prompt, stream, store the answer. */
  async function* answer(
    actor: Actor,
    ref: AgentRef,
    input: ChatInput,
    meta: ChatMeta,
    stop: { reader: AbortSignal; server: AbortSignal },
  ): AsyncGenerator<ChatEvent> {
    const { organizationId } = ref
    authorizeAgent(actor, 'agent:chat', ref)
    const agent = await findAgent(db.read, ref)
    const settings = await prepareAnswer({ queries: db.read, sealer, serverKeys }, agent)
    assertPromptLength(input.prompt, agent)
    await store.assertAdmissible(actor, agent, input)
    await moderation.assertPrompt(settings, input.prompt, stop.reader)

    const exchange = await store.saveQuestion(actor, agent, input, meta)
    const { threadId, answerId: messageId, visitorToken, history } = exchange
    const opening = { type: 'sources-found' as const, threadId, messageId, ...(visitorToken ? { visitorToken } : {}) }
    const signal = AbortSignal.any([stop.reader, stop.server])
    const draft = createAnswerDraft()
    let isAnnounced = false
    let failure: unknown = null
    let message: MessageView | null = null
    try {
      const smallTalk = replyToSmallTalk(input.prompt)
      const query = searchQueryFor(input.prompt, history)
      const request = { ...settings, organizationId, query, preferredLanguage: meta.language ?? null }
      const found = smallTalk ? nothing : await findEvidence(search, request, signal)
      const prompted = { ...settings, fragments: found.fragments, history, question: input.prompt }
      const { fragments } = buildPrompt(prompted)
      if (!smallTalk) draft.found(query, found, fragments.length)

      isAnnounced = true
      yield { ...opening, fragments }
      if (smallTalk) yield { type: 'text-delta', text: draft.write(smallTalk, null) }
      if (fragments.length > 0) {
        const texts = askModel(models[settings.provider], settings, prompted, draft, signal)
        for await (const text of texts) yield { type: 'text-delta', text }
      }
      if (draft.state.text === '' && !signal.aborted) {
        const nearest = [...fragments, ...found.candidates]
        const text = nothingFoundReply(input.prompt, query, nearest, meta.language ?? null)
        yield { type: 'text-delta', text: draft.write(text, 'not-found') }
      }
      if (!signal.aborted) yield { type: 'text-end' }
    } catch (error) {
      if (!signal.aborted) failure = error
    } finally {
      // When the consumer returns at a yield, only this block still runs.
      draft.flush()
      const stoppedBy = stop.server.aborted ? 'server' : 'reader'
      message = await store.saveAnswer(exchange, draft, outcomeOf(draft.state, failure, stoppedBy), settings.apiKey)
    }
    if (failure !== null) report(failure, agent)
    const partial = draft.state.text === '' ? null : message
    if (failure !== null || (stop.server.aborted && draft.state.stopReason === null)) {
      if (!isAnnounced) yield { ...opening, fragments: [] }
      const reason = failure === null ? stopping : failureText(failure)
      yield { type: 'answer-error', threadId, ...reason, partial }
    } else if (message) {
      yield { type: 'answer-end', threadId, cited: message.cited, message }
    }
  }

  function report(failure: unknown, { id: agentId, provider, model }: AgentRow): void {
    if (isProviderError(failure)) {
      const details = { agentId, provider, model, failure: failure.providerFailure, err: failure.cause ?? failure }
      log.warn(details, 'A model provider failed.')
    } else if (!isAppError(failure)) {
      log.error({ agentId, err: failure }, 'An answer failed.')
    }
  }

  return { reply, stop: running.stop, failOrphaned: store.failOrphaned }
}

export type Chat = ReturnType<typeof createChat>

const nothing = { fragments: [], candidates: [] }
const stopping = { code: 'unavailable', title: chatFailures.failed.title, message: stoppingMessage }
