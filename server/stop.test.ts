import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { stopServing } from './stop'

it('closes on an answer whose reader takes nothing, and waits until it is stored', async () => {
  let closed = () => {}
  const answered = new Promise<void>((resolve) => {
    closed = resolve
  })
  let stored = false
  const server = createServer((_req, response) => {
    response.on('close', () => {
      setTimeout(() => {
        stored = true
        closed()
      }, 50)
    })
    response.write('an answer begins')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reading = (await fetch(origin)).text().catch((error: Error) => error.message)
  let jobsStopped = false
  const runner = {
    stop: async () => {
      jobsStopped = true
    },
  }
  await stopServing(server, { stop: () => answered }, runner)
  expect({ stored, jobsStopped, listening: server.listening }).toEqual({
    stored: true,
    jobsStopped: true,
    listening: false,
  })
  expect(await reading).toBe('terminated')
})

it('does not wait where nothing is open', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const forever = () => new Promise<never>(() => {})
  await stopServing(server, { stop: async () => {} }, { stop: async () => {} }, forever)
  expect(server.listening).toBe(false)
})
