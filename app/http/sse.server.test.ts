import { describe, expect, it, vi } from 'vitest'
import { eventStream, type ServerEvent } from './sse.server'

const log = { error: vi.fn() }

async function* twoEvents(): AsyncGenerator<ServerEvent> {
  yield { event: 'first', data: { text: 'a\nb' } }
  yield { event: 'second', data: 2 }
}

describe('eventStream', () => {
  it('sends each event with its data as one line of JSON and then ends', async () => {
    const response = eventStream(new AbortController().signal, twoEvents(), log)
    expect(response.headers.get('Content-Type')).toContain('text/event-stream')
    expect(response.headers.get('Cache-Control')).toBe('no-cache, no-transform')
    expect(response.headers.get('X-Accel-Buffering')).toBe('no')
    expect(await response.text()).toBe('event: first\ndata: {"text":"a\\nb"}\n\nevent: second\ndata: 2\n\n')
  })

  it('ends the generator when nobody listens any more', async () => {
    const ended = vi.fn()
    const listening = new AbortController()
    async function* endless(): AsyncGenerator<ServerEvent> {
      try {
        for (let count = 0; ; count += 1) {
          yield { event: 'count', data: count }
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      } finally {
        ended()
      }
    }
    const reader = eventStream(listening.signal, endless(), log).body?.getReader()
    await reader?.read()
    listening.abort()
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  })

  it('logs an end that fails, whoever left first', async () => {
    async function* broken(): AsyncGenerator<ServerEvent> {
      try {
        yield { event: 'first', data: null }
        yield { event: 'second', data: null }
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: the failure of an end is what this is about.
        throw new Error('The disk is full.')
      }
    }
    const listening = new AbortController()
    const reader = eventStream(listening.signal, broken(), log).body?.getReader()
    await reader?.read()
    listening.abort()
    await vi.waitFor(() => expect(log.error).toHaveBeenCalledOnce())
    expect(log.error.mock.calls[0]?.[0]).toMatchObject({ err: { message: 'The disk is full.' } })

    const other = eventStream(new AbortController().signal, broken(), log).body?.getReader()
    await other?.read()
    await other?.cancel()
    await vi.waitFor(() => expect(log.error).toHaveBeenCalledTimes(2))
  })

  it('says nothing of work that ended because nobody listens any more', async () => {
    log.error.mockClear()
    const listening = new AbortController()
    async function* working(): AsyncGenerator<ServerEvent> {
      yield { event: 'first', data: null }
      await new Promise((_, reject) =>
        listening.signal.addEventListener('abort', () => reject(listening.signal.reason)),
      )
    }
    const reader = eventStream(listening.signal, working(), log).body?.getReader()
    await reader?.read()
    const end = reader?.read()
    listening.abort()
    expect(await end).toMatchObject({ done: true })
    expect(log.error).not.toHaveBeenCalled()
  })

  it('keeps a silent stream open with comments', async () => {
    vi.useFakeTimers()
    try {
      const listening = new AbortController()
      async function* silent(): AsyncGenerator<ServerEvent> {
        await new Promise((resolve) => listening.signal.addEventListener('abort', resolve))
        yield { event: 'late', data: null }
      }
      const reader = eventStream(listening.signal, silent(), log).body?.getReader()
      await vi.advanceTimersByTimeAsync(15_000)
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(': still here\n\n')
      listening.abort()
    } finally {
      vi.useRealTimers()
    }
  })
})
