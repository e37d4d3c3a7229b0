import type { ChatEvent } from '../../../contract/thread'

/** Reads server-sent events from an answer's body as they come. Each one's data is a chat event as JSON. */
export async function* readChatEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent> {
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
