/** Yields the data of server-sent events from a response's body as they arrive. The data must be JSON of type `Event`. */
export async function* readEvents<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let buffer = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      buffer += decoder.decode(value, { stream: true })
      const blocks = buffer.split('\n\n')
      buffer = blocks.pop() ?? ''
      for (const block of blocks) {
        const line = block.split('\n').find((line) => line.startsWith('data: '))
        if (line) yield JSON.parse(line.slice('data: '.length))
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
