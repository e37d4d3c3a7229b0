import type { AppLoadContext } from '@remix-run/node'

export interface ServerEvent {
  /** Name of the event. Clients get a `message` without one. */
  event?: string
  /** Sent as JSON. */
  data: unknown
}

/** Data that is sent unchanged, instead of as JSON. */
export class RawData {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Time between two comments that keep proxies from closing a silent stream. */
const heartbeatMs = 15_000

/**
 * Responds with server-sent events. When `signal` aborts, because the client has closed the connection, the generator is
 * returned so that its `finally` runs; a failure there is logged. Any other error ends the stream: expected failures
 * must be events.
 */
export function eventStream(
  { signal, report }: Pick<AppLoadContext, 'signal' | 'report'>,
  events: AsyncIterable<ServerEvent>,
): Response {
  const encoder = new TextEncoder()
  const iterator = events[Symbol.asyncIterator]()
  let timer: NodeJS.Timeout | undefined

  function stop() {
    clearInterval(timer)
    iterator.return?.().catch((error: unknown) => {
      if (!isAbort(error)) report(error, 'A stream did not end cleanly')
    })
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(': still here\n\n')), heartbeatMs)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    },
    async pull(controller) {
      try {
        const next = await iterator.next()
        if (!next.done) {
          controller.enqueue(encoder.encode(textOf(next.value)))
          return
        }
        clearInterval(timer)
        controller.close()
      } catch (error) {
        clearInterval(timer)
        // Closing the connection aborted the work, so nothing failed.
        if (signal.aborted && isAbort(error)) controller.close()
        else controller.error(error)
      }
    },
    cancel: stop,
  })

  const headers = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Without no-transform, compression would hold events back until its buffer is full.
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  }
  return new Response(body, { headers })
}

function textOf({ event, data }: ServerEvent): string {
  const text = data instanceof RawData ? data.text : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
