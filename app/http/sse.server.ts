import type { App } from '../../server/app'

export interface ServerEvent {
  event: string
  /** Sent as JSON. */
  data: unknown
}

/** Between two comments that keep proxies from closing a silent stream, in milliseconds. */
const heartbeat = 15_000

/**
 * Answers with server-sent events. The generator ends early when `signal` says that nobody listens any more, and its
 * `finally` runs; when that fails nobody is left to be told, and it is logged. An error before ends the stream; expected
 * failures are events of their own.
 */
export function eventStream(
  signal: AbortSignal,
  events: AsyncIterable<ServerEvent>,
  log: Pick<App['log'], 'error'>,
): Response {
  const encoder = new TextEncoder()
  const iterator = events[Symbol.asyncIterator]()
  let timer: NodeJS.Timeout | undefined

  function leave() {
    clearInterval(timer)
    iterator.return?.().catch((error: unknown) => {
      if (!isAbort(error)) log.error({ err: error }, 'A stream did not end cleanly.')
    })
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(': still here\n\n')), heartbeat)
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    },
    async pull(controller) {
      try {
        const next = await iterator.next()
        if (!next.done) {
          controller.enqueue(encoder.encode(`event: ${next.value.event}\ndata: ${JSON.stringify(next.value.data)}\n\n`))
          return
        }
        clearInterval(timer)
        controller.close()
      } catch (error) {
        clearInterval(timer)
        // Whoever closed the connection has stopped the work by that: nothing failed.
        if (signal.aborted && isAbort(error)) controller.close()
        else controller.error(error)
      }
    },
    cancel: leave,
  })

  const headers = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Without no-transform the compression holds events back until its buffer is full.
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  }
  return new Response(body, { headers })
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
