import type { AppLoadContext } from '@remix-run/node'
import type { FragmentView } from '../../contract/views/fragment'
import type { ChatEvent, MessageView } from '../../contract/views/thread'
import { AppError } from '../../server/errors'
import { eventStream, type ServerEvent } from './sse.server'

/** Whether the client wants the answer as it is written. */
export function wantsStream(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/event-stream') ?? false
}

/** Streams an answer. Rejects as long as a refusal can still be an answer of its own: until the first event. */
export async function streamedAnswer(
  events: AsyncGenerator<ChatEvent>,
  { app, signal }: Pick<AppLoadContext, 'app' | 'signal'>,
): Promise<Response> {
  const first = await events.next()
  return eventStream(signal, named(first, events), app.log)
}

export interface WholeAnswer {
  threadId: string
  message: MessageView
  fragments: FragmentView[]
}

/** Waits for the whole answer. Throws upstream_failed when the model failed; its thread keeps what there was. */
export async function wholeAnswer(events: AsyncGenerator<ChatEvent>): Promise<WholeAnswer> {
  for await (const event of events) {
    if (event.type === 'answer-error') {
      throw new AppError('upstream_failed', event.message, { details: { title: event.title } })
    }
    if (event.type === 'answer-end') {
      return { threadId: event.threadId, message: event.message, fragments: event.message.fragments }
    }
  }
  throw new Error('The answer ended without its last event.')
}

/** Not a generator of its own: one that is ended before it has begun would never end the answer behind it. */
function named(first: IteratorResult<ChatEvent>, events: AsyncGenerator<ChatEvent>): AsyncIterable<ServerEvent> {
  let waiting: IteratorResult<ChatEvent> | null = first
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const result = waiting ?? (await events.next())
        waiting = null
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
