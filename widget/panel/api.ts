import type { WidgetOptions } from '../options'

export interface Source {
  number: number
  title: string
  link: string
  /** What the answer rests on; absent while it is written, null in older answers. */
  passage?: Passage | null | undefined
}

/** A text with the ranges that answer. */
export interface Passage {
  text: string
  highlights: [number, number][]
}

export interface Hit {
  title: string
  url: string
  link: string
  passage: Passage
}

export interface StoredMessage {
  id: string
  role: 'user' | 'agent' | 'error'
  content: string
  /** Why there is no answer, or only a part of one; null otherwise. */
  status_message: string | null
  feedback: 'up' | 'down' | null
  sources: Source[]
}

export interface Fragment {
  title: string
  link: string
  passage?: Passage
}

/** An event of a streamed answer. */
export interface AnswerEvent {
  type: 'sources-found' | 'text-delta' | 'text-discard' | 'text-end' | 'answer-end' | 'answer-error'
  threadId?: string
  visitorToken?: string
  text?: string
  cited?: number[]
  /** Questions that may come next. */
  follow_ups?: string[]
  /** What the numbers of the answer refer to: the first fragment is [1]. */
  fragments?: Fragment[]
  message?: {
    id: string
    content: string
    status_message: string | null
    verdict: string | null
    fragments: Fragment[]
  }
}

/** The thread of this visitor, and the token that proves it. */
export interface Conversation {
  threadId: string
  token: string
}

export type Api = ReturnType<typeof createApi>

/** The calls of the widget. They send no cookies. */
export function createApi({ server, key, userId, userEmail, sessionId }: WidgetOptions) {
  async function call(path: string, init: RequestInit, token?: string): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${key}` }
    if (init.body) headers['Content-Type'] = 'application/json'
    if (token) headers['X-Visitor-Token'] = token
    const merged = { ...headers, ...(init.headers as Record<string, string>) }
    const policy = watchPolicy(server)
    try {
      const response = await fetch(`${server}/v1/public/${path}`, { ...init, headers: merged, credentials: 'omit' })
      if (!response.ok) throw await refusalIn(response)
      return response
    } catch (error) {
      if (error instanceof TypeError && (await policy.hasBlocked()))
        throw new CallError(0, 'policy', `The page's Content-Security-Policy blocks calls to ${server}.`, null)
      throw error
    } finally {
      policy.end()
    }
  }

  return {
    async *ask(prompt: string, conversation: Conversation | null, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
      const body = toJson({
        prompt,
        ...(conversation ? { threadId: conversation.threadId } : {}),
        ...(userId ? { external_user_id: userId } : {}),
        ...(userEmail ? { external_user_email: userEmail } : {}),
        ...(sessionId ? { external_session_id: sessionId } : {}),
      })
      const init = { method: 'POST', body, headers: { Accept: 'text/event-stream' }, signal }
      const response = await call('chat', init, conversation?.token)
      if (response.body) yield* eventsOf(response.body)
    },

    /** What the agent's owner shows in an empty conversation, for readers of a language. */
    async agent(language: string): Promise<{ id: string; name: string; logo: string | null; suggestions: string[] }> {
      const response = await call('agent', { headers: { 'Accept-Language': language } })
      return (await response.json()).agent
    },

    async search(query: string, signal: AbortSignal): Promise<Hit[]> {
      const response = await call('search', { method: 'POST', body: toJson({ query }), signal })
      return (await response.json()).fragments
    },

    async messages({ threadId, token }: Conversation): Promise<StoredMessage[]> {
      const response = await call(`threads/${encodeURIComponent(threadId)}`, {}, token)
      return (await response.json()).thread.messages
    },

    async rate({ threadId, token }: Conversation, messageId: string, rating: string, comment: string): Promise<void> {
      const path = `threads/${encodeURIComponent(threadId)}/messages/${encodeURIComponent(messageId)}/feedback`
      await call(path, { method: 'POST', body: toJson({ rating, comment }) }, token)
    },
  }
}

/** A call that the server has refused, or the policy of the page (status 0). */
export class CallError extends Error {
  readonly status: number
  readonly code: string
  /** The characters that a question can have, if this one has more. */
  readonly promptLimit: string | null

  constructor(status: number, code: string, message: string, promptLimit: string | null) {
    super(message)
    this.status = status
    this.code = code
    this.promptLimit = promptLimit
  }

  /** Whether no visitor of this page can make the call, until the owner changes the key, its origins or the policy. */
  get isFinal(): boolean {
    return [0, 401, 403].includes(this.status)
  }
}

async function refusalIn(response: Response): Promise<CallError> {
  const { status } = response
  try {
    const { code, message, errors } = await response.json()
    // Each agent has its own limit, which only the server's sentence states.
    const limit = /at most (\d+) characters/.exec(errors?.prompt?.[0] ?? '')?.[1]
    return new CallError(status, String(code), String(message), limit ?? null)
  } catch {
    return new CallError(status, '', `The server responded ${status}.`, null)
  }
}

/** Sees whether the policy of the page blocks calls to the server: browsers tell it apart from the failed call. */
function watchPolicy(server: string) {
  let isBlocked = false
  const see = ({ blockedURI }: SecurityPolicyViolationEvent) => {
    if (blockedURI.startsWith(server)) isBlocked = true
  }
  document.addEventListener('securitypolicyviolation', see)
  return {
    /** Waits for the event, which can come just after the failure. */
    async hasBlocked(): Promise<boolean> {
      await new Promise((resolve) => setTimeout(resolve))
      return isBlocked
    },
    end: () => document.removeEventListener('securitypolicyviolation', see),
  }
}

/** Scripts of old pages change how JSON.stringify writes texts, with `toJSON` on the prototypes of texts and lists. */
export function toJson(fields: Record<string, string>): string {
  const escaped = (text: string) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`
  const quote = (text: string) => `"${text.replace(/[\\"\p{Cc}\p{Cs}\u2028\u2029]/gu, escaped)}"`
  return `{${Object.keys(fields)
    .map((name) => `${quote(name)}:${quote(fields[name] ?? '')}`)
    .join(',')}}`
}

/** Reads server-sent events, whose data is JSON. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = block
          .split('\n')
          .filter((line) => line.startsWith('data:'))
          .map((line) => line.slice(5))
          .join('\n')
        if (data !== '') yield JSON.parse(data)
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
