import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fileSource, multipart, multipartType } from '../support/api/multipart'
import { type FileWorld, startFileWorld } from '../support/files/file-world'
import { issueToken } from '../support/people/access-token'
import { createPerson } from '../support/people/people'

let world: FileWorld
let authorization: string
beforeAll(async () => {
  world = await startFileWorld()
  const { email } = await createPerson(world.app, { [world.own.organization]: 'member' })
  authorization = `Bearer ${await issueToken(world.app, email)}`
})
afterAll(() => world.close())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A request whose head the server has read and whose body of 1,000 bytes never comes. */
async function startSlowRequest(path: string, headers: Record<string, string>) {
  const { port, hostname } = new URL(world.listening)
  const { host } = new URL(world.app.config.publicUrl)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk
  })
  // The server may close with a reset, which is what is expected here.
  socket.on('error', () => {})
  const lines = Object.entries({ host, 'content-length': '1000', expect: '100-continue', ...headers })
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n{`)
  await expect.poll(() => received).toContain('HTTP/1.1 100 Continue')
  return {
    closed: new Promise<void>((resolve) => socket.on('close', () => resolve())),
    statuses: () => [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status)),
  }
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const slow: [string, () => string, () => Record<string, string>][] = [
  ['a form of the sign-in', () => '/reset', () => ({ ...form, origin: world.app.config.publicUrl })],
  ['a request for tokens', () => '/oidc/token', () => form],
  ['a call of a stranger', () => '/v1/organizations', () => json],
  ['a call of a person', () => '/v1/organizations', () => ({ ...json, authorization })],
  ['an upload of a stranger', () => world.base, () => ({ 'content-type': multipartType })],
  ['a body that no route reads', () => '/v1/unknown', () => json],
]

test.each(slow)('%s is closed if its body does not arrive within 30 seconds', async (_what, path, headers) => {
  const { closed, statuses } = await startSlowRequest(path(), headers())
  await vi.advanceTimersByTimeAsync(30_000)
  await closed
  // A request that is refused before its body is read has been answered already.
  expect(statuses()).toEqual([100, expect.toBeOneOf([401, 404, 408])])
})

test('an upload of a signed-in person may take longer', async () => {
  const body = multipart(fileSource('slow.txt', 'a line of text\n'.repeat(100)))
  const headers = { authorization, 'content-type': multipartType, 'content-length': body.length }
  const upload = request(world.listening + world.base, { method: 'POST', headers, agent: false })
  const answered = once(upload, 'response')
  upload.write(body.subarray(0, 600))
  await expect.poll(() => world.incoming()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(30_000)
  upload.end(body.subarray(600))
  const [response] = (await answered) as [IncomingMessage]
  expect([response.statusCode, await text(response)]).toEqual([201, expect.stringContaining('slow.txt')])
})
