import type { Panel, PanelContext, PanelTag } from '../loader'
import { button, createAnswer, sourcesOf, waiting } from './answer'
import { type AnswerEvent, type Api, CallError, type Conversation, createApi, type Hit } from './api'
import { element } from './markdown'
import { searchResults } from './search-results'
import type { Icons } from './sources'
import { createStorage } from './storage'
import { panelStyle } from './styles'
import { english, type Texts, translate } from './texts'
import { createView } from './view'

/** Builds the panel in the widget's shadow root, closed unless it is part of the page. */
async function createPanel(context: PanelContext): Promise<Panel> {
  const { options, root, emit } = context
  const texts = await loadTexts(context)
  const style = new CSSStyleSheet()
  style.replaceSync(panelStyle(options))
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, style]
  const api: Api = createApi(options)
  const storage = createStorage(options.key)
  let conversation = storage.read()
  let running: AbortController | null = null
  let hasWarned = false
  let suggestions = options.suggestions
  const asked = new Set<string>()
  const icons: Icons = { path: '' }
  const view = createView(options, texts, { submit, stop: () => running?.abort(), close, restart })
  root.prepend(view.node)
  if (options.mode === 'inline') view.node.hidden = false
  await restore(showAgent())

  function submit(text: string, mode: 'ask' | 'search'): void {
    if (running) return
    running = new AbortController()
    view.setBusy(true)
    const work = mode === 'ask' ? ask(text, running.signal) : search(text, running.signal)
    void work.finally(() => {
      running = null
      view.setBusy(false)
    })
  }

  async function ask(question: string, signal: AbortSignal): Promise<void> {
    emit('question', question)
    asked.add(question)
    const line = view.addQuestion(question)
    const answer = createAnswer(texts, icons)
    answer.wait()
    view.addAnswer(answer.node)
    let end: AnswerEvent | null = null
    let failure: AnswerEvent | Error | null = null
    try {
      for await (const event of api.ask(question, conversation, signal)) {
        if (event.visitorToken && event.threadId) remember({ threadId: event.threadId, token: event.visitorToken })
        if (event.type === 'sources-found') answer.found(event.fragments ?? [])
        if (event.type === 'text-delta') answer.append(event.text ?? '')
        if (event.type === 'text-discard') answer.set('')
        if (event.type === 'answer-end') end = event
        if (event.type === 'answer-error') failure = event
        view.follow()
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
    }
    answer.end()
    if (signal.aborted) return answer.note(texts.stopped)
    const { message } = end ?? {}
    if (message) {
      answer.set(message.content)
      showEnd(answer, message, end ?? { type: 'answer-end' }, question)
      emit('answer', { question, answer: message.content })
      return
    }
    emit('error', question)
    if (failure instanceof CallError && failure.promptLimit !== null) {
      line.remove()
      answer.note(texts.tooLong.replace('%n', failure.promptLimit))
      answer.node.classList.add('refused')
      return view.restoreDraft(question)
    }
    // A conversation that was deleted meanwhile is begun again.
    if (failure instanceof CallError && failure.status === 404 && conversation) forget()
    if (!answer.isEmpty()) {
      const retry = retryButton(question, [line, answer.node])
      return answer.fail(texts.incomplete, retry)
    }
    await showFallback(question, failure, signal, line)
  }

  function showEnd(
    answer: ReturnType<typeof createAnswer>,
    message: NonNullable<AnswerEvent['message']>,
    { cited = [], follow_ups: next = [] }: AnswerEvent,
    question: string,
  ): void {
    if (message.status_message !== null) answer.note(translate(message.status_message, texts))
    answer.showSources(sourcesOf(cited, message.fragments))
    answer.showTools({ texts, rate: rateOf(message.id) }, null)
    if (message.verdict === 'not-found') view.add(...contactLinks(question))
    else
      view.addFollowUps(
        [...new Set([...next, ...suggestions])].filter((item) => !asked.has(item)),
        send,
      )
    view.follow()
  }

  /** Says that there is no answer, and shows what a search finds. */
  async function showFallback(
    question: string,
    failure: unknown,
    signal: AbortSignal,
    asked: HTMLElement,
  ): Promise<void> {
    const reason = reasonOf(failure)
    const note = addNote(reason ?? texts.unanswered)
    if (reason === null) {
      const hits = await api.search(question, signal).catch((): Hit[] => [])
      if (hits.length > 0) view.add(searchResults(hits, texts, icons))
    }
    if (canRetry(failure)) {
      view.add(retryButton(question, [asked, note]))
    }
    view.add(...contactLinks(question))
    view.follow()
  }

  /** Asks the question again, in place of these parts of the conversation. */
  function retryButton(question: string, replaced: HTMLElement[]): HTMLElement {
    const retry = button(texts.retry, () => {
      if (running) return
      for (const node of [...replaced, retry]) node.remove()
      submit(question, 'ask')
    })
    retry.className = 'retry'
    return retry
  }

  function addNote(text: string): HTMLElement {
    const note = createAnswer(texts, icons)
    note.note(text)
    view.add(note.node)
    return note.node
  }

  async function search(query: string, signal: AbortSignal): Promise<void> {
    view.showResults(waiting(texts))
    try {
      view.showResults(searchResults(await api.search(query, signal), texts, icons))
    } catch (error) {
      view.showResults(element('p', signal.aborted ? texts.stopped : (reasonOf(error) ?? texts.offline)))
    }
  }

  /** What visitors read of a call that did not reach the agent; null for other failures. */
  function reasonOf(failure: unknown): string | null {
    if (failure instanceof TypeError) return texts.offline
    if (!(failure instanceof CallError) || !failure.isFinal) return null
    warn(failure)
    return texts.refused
  }

  /** Tells the owner of the page, once, what only the owner can mend. */
  function warn({ status, message }: CallError): void {
    if (!hasWarned) console.warn(`Sitelore: ${message} ${options.server}${status === 0 ? policyPage : keysPage}`)
    hasWarned = true
  }

  function rateOf(messageId: string) {
    return async (rating: 'up' | 'down', comment: string) => {
      if (conversation) await api.rate(conversation, messageId, rating, comment)
    }
  }

  /** A link to the people behind the page; a mail begins with the question. */
  function contactLinks(question: string): HTMLElement[] {
    if (options.contact === null) return []
    const anchor = element('a', texts.contact)
    const isMail = /^mailto:[^?]*$/i.test(options.contact)
    anchor.href = options.contact + (isMail ? `?body=${encodeURIComponent(question)}` : '')
    if (!isMail) anchor.target = '_blank'
    anchor.rel = 'noopener'
    anchor.className = 'contact'
    return [element('p', anchor)]
  }

  /** Shows the conversation of an earlier page. */
  async function restore(agentShown: Promise<void>): Promise<void> {
    if (!conversation) return greet()
    try {
      const [messages] = await Promise.all([api.messages(conversation), agentShown])
      for (const message of messages) {
        const note = message.status_message && translate(message.status_message, texts)
        if (message.role === 'user') {
          asked.add(message.content)
          view.addQuestion(message.content)
          if (note) addNote(note)
        } else if (message.content !== '') {
          const answer = createAnswer(texts, icons)
          answer.set(message.content)
          if (note) answer.note(note)
          answer.showSources(message.sources)
          answer.showTools({ texts, rate: rateOf(message.id) }, message.feedback)
          view.addAnswer(answer.node)
        }
      }
    } catch (error) {
      if (error instanceof CallError && error.status === 404) forget()
      greet()
    }
  }

  function greet(): void {
    view.showGreeting()
    view.suggest(suggestions, send)
  }

  /** Shows the logo and the questions of the agent, where the tag has none. A chat without them is still a chat. */
  async function showAgent(): Promise<void> {
    try {
      const agent = await api.agent(options.language)
      icons.path = `${options.server}/icon/agent/${agent.id}/`
      if (options.logo === null && agent.logo !== null) view.showLogo(options.server + agent.logo)
      if (suggestions.length === 0) suggestions = agent.suggestions
      view.suggest(suggestions, send)
    } catch {}
  }

  function send(question: string): void {
    submit(question, 'ask')
  }

  function remember(next: Conversation): void {
    conversation = next
    storage.write(next)
  }

  function forget(): void {
    conversation = null
    storage.clear()
  }

  function restart(): void {
    running?.abort()
    forget()
    view.clear()
    greet()
    view.focus()
  }

  function close(): void {
    if (options.mode === 'inline' || view.node.hidden) return
    view.node.hidden = true
    emit('close')
    context.closed()
  }

  function open(mode: 'ask' | 'search' = 'ask', takesFocus = true): void {
    const wasHidden = view.node.hidden
    view.node.hidden = false
    view.select(mode)
    if (takesFocus) view.focus()
    if (wasHidden) {
      view.scrollToEnd()
      emit('open')
    }
  }

  return {
    open,
    close,
    ask(question) {
      open()
      submit(question, 'ask')
    },
  }
}

/** Where the owner of the page finds what to do. */
const keysPage = '/dashboard/agents'
const policyPage = '/help/widget#a-strict-policy'

/** Codes of failures that pass by themselves. */
const passing = ['rate_limited', 'upstream_failed', 'unavailable', 'still_working']

function canRetry(failure: unknown): boolean {
  if (failure === null || failure instanceof TypeError) return true
  return passing.includes((failure as { code?: string }).code ?? '')
}

/** The words of the language; English where its file cannot be loaded. */
async function loadTexts({ options, locales }: PanelContext): Promise<Texts> {
  const address = locales[options.language]
  if (!address) return english
  try {
    const response = await fetch(address, { credentials: 'omit' })
    return response.ok ? { ...english, ...(await response.json()) } : english
  } catch {
    return english
  }
}

const tag = document.currentScript as PanelTag | null
tag?.start?.(createPanel)
