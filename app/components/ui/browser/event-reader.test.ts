import { describe, expect, it } from 'vitest'
import { readEvents } from './event-reader'

function bodyOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

describe('readEvents', () => {
  it('reassembles events from any chunks and skips comments', async () => {
    const bytes = new TextEncoder().encode(
      ': still here\n\nevent: text-delta\ndata: {"type":"text-delta","text":"Größe"}\n\nevent: text-end\ndata: {"type":"text-end"}\n\n',
    )
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const events = []
      for await (const event of readEvents(bodyOf([bytes.slice(0, cut), bytes.slice(cut)]))) events.push(event)
      expect(events).toEqual([{ type: 'text-delta', text: 'Größe' }, { type: 'text-end' }])
    }
  })
})
