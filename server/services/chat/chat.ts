import type { ChatInput } from '../../../contract/chat/thread'
import { chatFailures } from '../../../contract/texts/chat/chat-failures'
import type { Provider } from '../../../contract/values/enumerations'
import type { ChatEvent, MessageView } from '../../../contract/views/chat/thread'
import type { Actor } from '../../actor'
import { nothingFoundReply } from '../../engine/answering/nothing-found'
import { buildPrompt } from '../../engine/answering/prompt'
import { searchQueryFor } from '../../engine/answering/search-query'
import { replyToSmallTalk } from '../../engine/answering/small-talk'
import type { ChatModel } from '../../engine/ports/chat-model'
import type { Telemetry } from '../../engine/ports/telemetry'
import { followUpQuestions } from '../../engine/suggestions/propose-questions'
import { isAppError, isProviderError } from '../../errors'
import { authorizeAgent } from '../../policy'
import type { Sealer } from '../../sealing'
import { type Reauthenticate, watchAccess } from '../access/watch-access'
import type { AgentRow } from '../agents/agent-views'
import { type AgentRef, findAgent } from '../agents/agents'
import type { ServerKeys } from '../keys/agent-keys'
import type { Moderation } from '../moderation/moderation'
import type { CitePassages } from '../search/cite-passages'
import type { Search } from '../search/search-collections'
import type { TranslateQuestion } from '../search/translate-question'
import { isVisitor } from '../usage/visitor-share'
import { createAnswerDraft } from './answer-draft'
import { askModel } from './ask-model'
import { type ChatMeta, type ChatStoreDeps, createChatStore } from './chat-store'
import { findEvidence } from './evidence'
import { failureText, outcomeOf } from './outcome'
import { assertPromptLength, prepareAnswer } from './prepare-answer'
import { publicError, publicEvent } from './public-events'
import { createQuestionLeases } from './question-leases'
import { createRunningAnswers, stoppingMessage } from './running-answers'

export interface ChatDeps extends ChatStoreDeps {
  search: Pick<Search, 'find'>
  sealer: Pick<Sealer, 'open'>
  models: Record<Provider, ChatModel>
  citePassages: CitePassages
  translateQuestion: TranslateQuestion
  moderation: Pick<Moderation, 'assertPrompt'>
  serverKeys: ServerKeys
  telemetry: Pick<Telemetry, 'stage' | 'stream'>
  log: Record<'warn' | 'error', (details: object, message: string) => void>
}

export function createChat({ db, search, organizations, visitorIp, sealer, models, ...deps }: ChatDeps) {
  const { moderation, serverKeys, citePassages, translateQuestion, telemetry, log } = deps
  const store = createChatStore({ db, organizations, visitorIp })
  const running = createRunningAnswers()
  const leases = createQuestionLeases({ db, log })

  /**
   * Answers a message, in a new thread without a `threadId`. Yields 'sources-found' as soon as the question is stored and
   * searched, 'text-delta' as the answer is written ('text-discard' withdraws it), 'text-end', then 'answer-end' or 'answer-error' with the stored
   * message. Throws AppError only before the question is stored. If `reader` aborts or the consumer returns, the model is
   * stopped and the partial text stored. If the server stops, or the caller loses access, the last event is an
   * 'answer-error'. Access is checked only with `reauthenticate`.
   */
  async function* reply(
    actor: Actor,
    ref: AgentRef,
    input: ChatInput,
    meta: ChatMeta,
    reader: AbortSignal,
    reauthenticate?: Reauthenticate,
  ): AsyncGenerator<ChatEvent> {
    const server = running.start()
    const access = watchAccess(reauthenticate, (caller) => authorizeAgent(caller, 'agent:chat', ref))
    try {
      const stop = { reader, server: server.signal, access: access.signal }
      const events = telemetry.stream('answer', answer(actor, ref, input, meta, stop), { agent: ref.agentId })
      for await (const event of events) yield isVisitor(actor) ? publicEvent(event) : event
    } catch (error) {
      throw isVisitor(actor) ? publicError(error) : error
    } finally {
      access.stop()
      server.end()
    }
  }

  /** The steps of a message: authorize, store the question, search, prompt, stream, store the answer. */
  async function* answer(
    actor: Actor,
    ref: AgentRef,
    input: ChatInput,
    meta: ChatMeta,
    stop: { reader: AbortSignal; server: AbortSignal; access: AbortSignal },
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
    leases.hold(exchange.questionId)
    const opening = { type: 'sources-found' as const, threadId, messageId, ...(visitorToken ? { visitorToken } : {}) }
    const signal = AbortSignal.any([stop.reader, stop.server, stop.access])
    const draft = createAnswerDraft()
    let isAnnounced = false
    let failure: unknown = null
    let message: MessageView | null = null
    try {
      const smallTalk = replyToSmallTalk(input.prompt)
      const query = searchQueryFor(input.prompt, history)
      const asked = { ...settings, organizationId, query, preferredLanguage: meta.language ?? null }
      const translated = smallTalk
        ? null
        : await telemetry.stage('translate', () =>
            translateQuestion({ ...asked, agentId: agent.id, question: input.prompt, history }, signal),
          )
      if (translated) draft.translated(translated)
      const request = { ...asked, translatedQuery: translated?.query ?? null }
      const found = smallTalk ? nothing : await findEvidence(search, request, signal)
      const prompted = { ...settings, fragments: found.fragments, history, question: input.prompt }
      const prompt = buildPrompt(prompted)
      const { fragments } = prompt
      if (!smallTalk) draft.found(query, found, fragments.length)

      isAnnounced = true
      yield { ...opening, fragments }
      if (smallTalk) yield { type: 'text-delta', text: draft.write(smallTalk, null) }
      if (fragments.length > 0) {
        yield* askModel(models[settings.provider], settings, prompt, prompted, draft, signal)
      }
      if (draft.state.text === '' && !signal.aborted) {
        const text = nothingFoundReply(input.prompt, found.nearest, meta.language ?? null)
        yield { type: 'text-delta', text: draft.write(text, 'not-found') }
      }
      if (!signal.aborted) yield { type: 'text-end' }
    } catch (error) {
      if (!signal.aborted) failure = error
    } finally {
      // When the consumer returns at a yield, only this block still runs.
      draft.flush()
      const mayEmbed = !stop.server.aborted
      const { text, fragments } = draft.state
      draft.cite(await telemetry.stage('citations', () => citePassages(text, fragments, { mayEmbed })))
      leases.release(exchange.questionId)
      const stoppedBy = stop.server.aborted ? 'server' : stop.access.aborted ? 'access' : 'reader'
      message = await store.saveAnswer(exchange, draft, outcomeOf(draft.state, failure, stoppedBy), settings.apiKey)
    }
    if (failure !== null) report(failure, agent)
    const partial = draft.state.text === '' ? null : message
    const isCutOff = (stop.server.aborted || stop.access.aborted) && draft.state.stopReason === null
    if (failure !== null || isCutOff) {
      if (!isAnnounced) yield { ...opening, fragments: [] }
      const stopped = stop.server.aborted ? stopping : accessEnded
      const reason = failure === null ? stopped : failureText(failure)
      yield { type: 'answer-error', threadId, ...reason, partial }
    } else if (message) {
      yield {
        type: 'answer-end',
        threadId,
        cited: message.cited,
        follow_ups: followUpsOf(message, input.prompt),
        message,
      }
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

/** The questions that the found passages also answer. */
function followUpsOf({ fragments, verdict }: MessageView, prompt: string): string[] {
  return verdict === 'not-found' ? [] : followUpQuestions(fragments, prompt, maxFollowUps)
}

const maxFollowUps = 3
const nothing = { fragments: [], candidates: [], nearest: [] }
const stopping = { code: 'unavailable', title: chatFailures.failed.title, message: stoppingMessage }
const accessEnded = { code: 'forbidden', ...chatFailures.accessEnded }
