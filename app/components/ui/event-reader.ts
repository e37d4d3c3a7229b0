/** Reads server-sent events from an answer's body as they come: each one's data, which is JSON of the kind that is named. */
export async function* readEvents<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let held = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      held += decoder.decode(value, { stream: true })
      const blocks = held.split('\n\n')
      held = blocks.pop() ?? ''
      for (const block of blocks) {
        const line = block.split('\n').find((one) => one.startsWith('data: '))
        if (line) yield JSON.parse(line.slice('data: '.length))
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
