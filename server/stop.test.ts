import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { stopServing } from './stop'

afterEach(() => {
  vi.useRealTimers()
})

it('closes the connection of a client that does not read, and waits until its answer is stored', async () => {
  let store = () => {}
  const answered = new Promise<void>((resolve) => {
    store = resolve
  })
  const server = createServer((_req, response) => void response.write('an answer begins'))
  const closed = once(server, 'close')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reading = (await fetch(origin)).text().catch((error: Error) => error.message)
  let jobsStopped = false
  const runner = {
    stop: async () => {
      jobsStopped = true
    },
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  let answerWaits = 0
  // Each wait is over at once, except the last one: for the answer, after the connections are closed.
  const wait = async (ms = 0): Promise<never> => {
    if (ms > 1_000 && ++answerWaits > 1) return new Promise(() => {})
    await yieldToEventLoop()
    vi.setSystemTime(Date.now() + ms)
    throw new Error('The time is over.')
  }
  let stopped = false
  const stopping = stopServing(server, { stop: () => answered }, runner, wait).then(() => {
    stopped = true
  })
  await closed
  await yieldToEventLoop()
  expect({ stopped, jobsStopped, listening: server.listening }).toEqual({
    stopped: false,
    jobsStopped: true,
    listening: false,
  })
  store()
  await stopping
  expect(await reading).toBe('terminated')
})

it('does not wait without open connections', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const forever = () => new Promise<never>(() => {})
  await stopServing(server, { stop: async () => {} }, { stop: async () => {} }, forever)
  expect(server.listening).toBe(false)
})
