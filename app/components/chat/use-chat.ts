import { useNavigate } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { ChatEvent, MessageView } from '../../../contract/views/chat/thread'
import { paths } from '../../paths'
import { useNotify } from '../notifications/context'
import { type Notification, notification } from '../notifications/notification'
import { readEvents } from '../ui/browser/event-reader'
import { untilReachable } from '../ui/browser/network'
import { followRedirect } from '../ui/browser/session'
import { shownOrganizationField, useShownOrganization } from '../ui/forms/organization-form'
import { chatFailure, type Refusal } from './chat-failures'

/** The last message that was sent, with its answer so far. */
export interface Exchange {
  prompt: string
  sentAt: string
  answer: string
  fragments: FragmentView[]
  state: 'waiting' | 'writing' | 'stopped' | 'failed' | 'done'
  /** Id of the stored answer, once it is known. */
  messageId: string | null
  /** Why the answer is incomplete. */
  failure: { title: string; message: string } | null
}

/** How long the server may take to store a stopped answer, before the thread is loaded again. */
const storeDelayMs = 800

interface Chat {
  agentId: string
  threadId: string | null
  messages: MessageView[]
  /** Whether the reader sees the end of the conversation, where a failure is shown. Otherwise there is a notification. */
  isFailureInView: RefObject<boolean>
}

/**
 * A conversation: the loaded thread, followed by the exchange in progress. At the end of an answer the thread is loaded
 * again, and the exchange is dropped once the thread contains it.
 */
export function useChat({ agentId, threadId, messages, isFailureInView }: Chat) {
  const [exchange, setExchange] = useState<Exchange | null>(null)
  const [before, setBefore] = useState(messages)
  const running = useRef<AbortController | null>(null)
  const thread = useRef(threadId)
  const waiting = useRef<AbortController | null>(null)
  const notify = useNotify()
  const navigate = useNavigate()
  const organization = useShownOrganization()

  useEffect(() => {
    if (thread.current === threadId) return
    // The person opened another thread.
    running.current?.abort()
    thread.current = threadId
    setExchange(null)
  }, [threadId])

  useEffect(() => {
    setExchange((now) => (now && isLoaded(now, before, messages) ? null : now))
  }, [before, messages])

  useEffect(
    () => () => {
      running.current?.abort()
      waiting.current?.abort()
    },
    [],
  )

  async function send(prompt: string) {
    const controller = new AbortController()
    running.current = controller
    setBefore(messages)
    const change = (update: Partial<Exchange> | ((now: Exchange) => Partial<Exchange>)) => {
      if (running.current !== controller) return
      setExchange((now) => now && { ...now, ...(typeof update === 'function' ? update(now) : update) })
    }
    const sentAt = new Date().toISOString()
    let hasText = false
    setExchange({ prompt, sentAt, answer: '', fragments: [], state: 'waiting', messageId: null, failure: null })
    try {
      const body = new FormData()
      body.set('prompt', prompt)
      body.set('createdAt', sentAt)
      if (thread.current) body.set('threadId', thread.current)
      if (organization) body.set(shownOrganizationField, organization)
      const response = await fetch(paths.agentChat(agentId), {
        method: 'POST',
        body,
        headers: { Accept: 'text/event-stream' },
        signal: controller.signal,
      })
      const type = response.headers.get('Content-Type') ?? ''
      if (response.ok && !type.startsWith('text/event-stream')) {
        // Another page has responded: the session has ended, or the person may not be here.
        fail(notification('warning', 'The message was not sent.'))
        return followRedirect(controller.signal)
      }
      if (!response.ok || !response.body) {
        const failure = chatFailure(await refusalOf(response))
        fail(failure)
        return
      }
      let hasEnded = false
      for await (const event of readEvents<ChatEvent>(response.body)) {
        hasEnded ||= event.type === 'answer-end' || event.type === 'answer-error'
        switch (event.type) {
          case 'sources-found':
            thread.current = event.threadId
            change({ state: 'writing', fragments: event.fragments, messageId: event.messageId })
            break
          case 'text-delta':
            hasText = true
            change((now) => ({ answer: now.answer + event.text }))
            break
          case 'text-discard':
            change({ answer: '' })
            break
          case 'answer-end':
            change({ state: 'done', answer: event.message.content, messageId: event.message.id })
            showThread(event.threadId)
            break
          case 'answer-error':
            fail(notification('danger', event.title, event.message))
            // Whoever lost access could not load the thread.
            if (event.code !== 'forbidden') showThread(event.threadId)
        }
      }
      if (!hasEnded) breakOff()
    } catch {
      if (!controller.signal.aborted) breakOff()
    }

    function fail(failure: Notification) {
      if (!isFailureInView.current) notify(failure)
      change({ state: 'failed', failure: { title: failure.title, message: failure.message ?? '' } })
    }

    /** The server stores what arrived, so that the thread shows it once it is loaded again. */
    function breakOff() {
      fail(notification('danger', hasText ? 'Connection lost. The answer is incomplete.' : 'Connection lost.'))
      showThreadLater()
    }
  }

  function showThread(id: string) {
    thread.current = id
    navigate(paths.agentThread(agentId, id), { replace: true, preventScrollReset: true })
  }

  function stop() {
    running.current?.abort()
    running.current = null
    setExchange((now) => now && { ...now, state: 'stopped' })
    showThreadLater()
  }

  /** Once the server is reached: a load that fails would replace the page, with the part of the answer that it shows. */
  function showThreadLater() {
    const id = thread.current
    const wait = new AbortController()
    waiting.current = wait
    setTimeout(async () => {
      await untilReachable(wait.signal)
      if (id && !wait.signal.aborted && thread.current === id) showThread(id)
    }, storeDelayMs)
  }

  const busy = exchange !== null && isInProgress(exchange)
  return { messages: exchange ? before : messages, exchange, busy, send, stop }
}

/** Whether the loaded thread has the answer of an exchange, or its question if the exchange has ended without one. */
function isLoaded(exchange: Exchange, before: MessageView[], messages: MessageView[]): boolean {
  if (messages.some(({ id }) => id === exchange.messageId)) return true
  const last = messages.at(-1)
  const isQuestion = last?.role === 'user' && last.content === exchange.prompt
  return !isInProgress(exchange) && isQuestion && before.every(({ id }) => id !== last.id)
}

function isInProgress({ state }: Exchange): boolean {
  return state === 'waiting' || state === 'writing'
}

/** The title and the message of a problem detail; neither of any other body. */
async function refusalOf(response: Response): Promise<Refusal> {
  const { status } = response
  const body: unknown = await response.json().catch(() => null)
  if (typeof body !== 'object' || body === null) return { status }
  const { title, message } = body as { title?: unknown; message?: unknown }
  return {
    status,
    title: typeof title === 'string' ? title : undefined,
    message: typeof message === 'string' ? message : undefined,
  }
}
