export interface ServerEvent {
  event: string
  /** Sent as JSON. */
  data: unknown
}

/** Between two comments that keep proxies from closing a silent stream, in milliseconds. */
const heartbeat = 15_000

/**
 * Answers with server-sent events. The generator ends early when `signal` says that nobody listens any more, and its
 * `finally` runs. An error inside it ends the stream; expected failures are events of their own.
 */
export function eventStream(signal: AbortSignal, events: AsyncIterable<ServerEvent>, headers?: HeadersInit): Response {
  const encoder = new TextEncoder()
  const iterator = events[Symbol.asyncIterator]()
  let timer: NodeJS.Timeout | undefined

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const stop = () => {
        clearInterval(timer)
        void iterator.return?.()
      }
      timer = setInterval(() => controller.enqueue(encoder.encode(': still here\n\n')), heartbeat)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
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
        controller.error(error)
      }
    },
    cancel() {
      clearInterval(timer)
      void iterator.return?.()
    },
  })

  const all = new Headers(headers)
  all.set('Content-Type', 'text/event-stream; charset=utf-8')
  // Without no-transform the compression holds events back until its buffer is full.
  all.set('Cache-Control', 'no-cache, no-transform')
  all.set('X-Accel-Buffering', 'no')
  return new Response(body, { headers: all })
}
