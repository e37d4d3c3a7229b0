import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { until } from '../../../tests/support/until'
import { eventStream, type ServerEvent } from './sse.server'

const report = vi.fn()
const connected = () => ({ signal: new AbortController().signal, report })

async function* twoEvents(): AsyncGenerator<ServerEvent> {
  yield { event: 'first', data: { text: 'a\nb' } }
  yield { event: 'second', data: 2 }
}

describe('eventStream', () => {
  it('sends each event with its data as one line of JSON and then ends', async () => {
    const response = eventStream(connected(), twoEvents())
    expect(response.headers.get('Content-Type')).toContain('text/event-stream')
    expect(response.headers.get('Cache-Control')).toBe('no-cache, no-transform')
    expect(response.headers.get('X-Accel-Buffering')).toBe('no')
    expect(await response.text()).toBe('event: first\ndata: {"text":"a\\nb"}\n\nevent: second\ndata: 2\n\n')
  })

  it('ends the generator when the client disconnects', async () => {
    const ended = vi.fn()
    const connection = new AbortController()
    async function* endless(): AsyncGenerator<ServerEvent> {
      try {
        for (let count = 0; ; count += 1) {
          yield { event: 'count', data: count }
          await yieldToEventLoop()
        }
      } finally {
        ended()
      }
    }
    const reader = eventStream({ signal: connection.signal, report }, endless()).body?.getReader()
    await reader?.read()
    connection.abort()
    await until(() => ended.mock.calls.length === 1)
  })

  it('logs a generator that fails while it is ended', async () => {
    async function* broken(): AsyncGenerator<ServerEvent> {
      try {
        yield { event: 'first', data: null }
        yield { event: 'second', data: null }
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: a failure at the end is what this tests.
        throw new Error('The disk is full.')
      }
    }
    const connection = new AbortController()
    const reader = eventStream({ signal: connection.signal, report }, broken()).body?.getReader()
    await reader?.read()
    connection.abort()
    await until(() => report.mock.calls.length === 1)
    expect(report.mock.calls[0]?.[0]).toMatchObject({ message: 'The disk is full.' })

    const second = eventStream(connected(), broken()).body?.getReader()
    await second?.read()
    await second?.cancel()
    await until(() => report.mock.calls.length === 2)
  })

  it('does not log work that the disconnect aborted', async () => {
    report.mockClear()
    const connection = new AbortController()
    async function* working(): AsyncGenerator<ServerEvent> {
      yield { event: 'first', data: null }
      await new Promise((_, reject) =>
        connection.signal.addEventListener('abort', () => reject(connection.signal.reason)),
      )
    }
    const reader = eventStream({ signal: connection.signal, report }, working()).body?.getReader()
    await reader?.read()
    const end = reader?.read()
    connection.abort()
    expect(await end).toMatchObject({ done: true })
    expect(report).not.toHaveBeenCalled()
  })

  it('keeps a silent stream open with comments', async () => {
    vi.useFakeTimers()
    try {
      const connection = new AbortController()
      async function* silent(): AsyncGenerator<ServerEvent> {
        await new Promise((resolve) => connection.signal.addEventListener('abort', resolve))
        yield { event: 'late', data: null }
      }
      const reader = eventStream({ signal: connection.signal, report }, silent()).body?.getReader()
      await vi.advanceTimersByTimeAsync(15_000)
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(': still here\n\n')
      connection.abort()
    } finally {
      vi.useRealTimers()
    }
  })
})
