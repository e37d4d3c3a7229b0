import type { AppLoadContext } from '@remix-run/node'
import { errorCodes } from '../../../contract/values/error-codes'
import type { ChatAnswer, ChatEvent } from '../../../contract/views/chat/thread'
import { AppError } from '../../../server/errors'
import { eventStream, type ServerEvent } from './sse.server'

/** Whether the client accepts server-sent events. */
export function wantsStream(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/event-stream') ?? false
}

/** Streams an answer. Rejects if it fails before its first event, when the response can still have a status of its own. */
export async function streamedAnswer(
  events: AsyncGenerator<ChatEvent>,
  context: Pick<AppLoadContext, 'signal' | 'report'>,
): Promise<Response> {
  const first = await events.next()
  return eventStream(context, serverEvents(first, events))
}

/** Waits for the complete answer. Throws the error of an answer that fails; the thread keeps what was written. */
export async function completeAnswer(events: AsyncGenerator<ChatEvent>): Promise<ChatAnswer> {
  let visitor: { visitorToken?: string } = {}
  for await (const event of events) {
    if (event.type === 'sources-found' && event.visitorToken) visitor = { visitorToken: event.visitorToken }
    if (event.type === 'answer-error') {
      const code = errorCodes.find((errorCode) => errorCode === event.code) ?? 'upstream_failed'
      throw new AppError(code, event.message, {
        details: { title: event.title, thread: { threadId: event.threadId, ...visitor } },
      })
    }
    if (event.type === 'answer-end') {
      const { threadId, message, follow_ups } = event
      return { threadId, ...visitor, message, fragments: message.fragments, follow_ups }
    }
  }
  // The client has closed the connection before any text.
  throw new AppError('unavailable', 'The answer was stopped.')
}

/**
 * Returns the events of an answer. Not a generator: one that is returned before its first value would never end the
 * answer that it wraps.
 */
function serverEvents(first: IteratorResult<ChatEvent>, events: AsyncGenerator<ChatEvent>): AsyncIterable<ServerEvent> {
  let pending: IteratorResult<ChatEvent> | null = first
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const result = pending ?? (await events.next())
        pending = null
        if (result.done) return { done: true, value: undefined }
        return { done: false, value: { event: result.value.type, data: result.value } }
      },
      async return() {
        await events.return(undefined)
        return { done: true, value: undefined }
      },
    }),
  }
}
