import { createHash, randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxFileBytes } from '../../../contract/sources/file'
import type { SourceView } from '../../../contract/views/source'
import { files } from '../../../db/schema/files'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'
import { fileSource, multipart, multipartType } from '../../support/api/multipart'
import { bytesOfSource } from '../../support/files/stored-files'
import { issueToken } from '../../support/people/access-token'
import { createPerson } from '../../support/people/people'
import { until } from '../../support/until'

// Uploads over a connection: slow, aborted, concurrent.

let world: ApiWorld
let base: string
let folder: string
let authorization: string

beforeAll(async () => {
  world = await startApiWorld()
  base = `/v1/${world.own.organization}/sources/${world.own.collection}`
  folder = join(world.app.config.dataDir, 'files')
  const { email } = await createPerson(world.app, { [world.own.organization]: 'member' })
  authorization = `Bearer ${await issueToken(world.app, email)}`
})
afterAll(() => world.close())

const incoming = () => readdir(join(folder, 'incoming')).catch(() => [])
const kept = async () => (await readdir(folder).catch(() => [])).filter((name) => name !== 'incoming')

/** Bytes of all files, including those that are still received. */
async function storedBytes(): Promise<number> {
  // Received files first: one that is moved between the two listings is in both, never in none.
  const received = (await incoming()).map((name) => join(folder, 'incoming', name))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const stored = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const paths = [...new Set([...received, ...stored])]
  // A file that was moved after it was listed is no longer at its path.
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size)).catch(() => null)
  return sizes ? sizes.reduce((sum, size) => sum + size, 0) : storedBytes()
}

const rows = () => world.app.db.read.select().from(files)

function open(headers: Record<string, string | number>): ClientRequest {
  const url = new URL(base, world.listening)
  return request(url, { method: 'POST', headers: { authorization, 'content-type': multipartType, ...headers } })
}

describe('an aborted upload', () => {
  const content = randomBytes(3 * 1024 * 1024)
  const body = multipart(fileSource('half.txt', content))
  const points = Array.from(
    { length: 20 },
    (_, index) => Math.floor((body.length * index) / 20) + (index === 0 ? 40 : 0),
  )

  it.each(points)('leaves nothing of an upload that is aborted after %i bytes', async (point) => {
    const before = [await kept(), await rows()]
    const sending = open({ 'content-length': body.length })
    const ended = new Promise((resolve) => sending.once('close', resolve))
    sending.on('error', () => {})
    await new Promise((resolve) => sending.write(body.subarray(0, point), resolve))
    // Far enough in, so that the server has begun to store it.
    if (point > 200_000) await until(async () => (await incoming()).length === 1)
    sending.destroy()
    await ended
    await until(async () => (await incoming()).length === 0)
    expect([await kept(), await rows()]).toEqual(before)
  })

  it('does not block the next one', async () => {
    const response = await world.send('member', 'POST', base, { headers: { 'content-type': multipartType }, body })
    expect(response.status, response.text).toBe(201)
    const { source } = response.body as { source: SourceView }
    expect(source.file?.sha256).toBe(createHash('sha256').update(content).digest('hex'))
    expect(Buffer.compare(await bytesOfSource(world.app, source.id), content)).toBe(0)
  })
})

describe('a slow upload', () => {
  it('is written to disk while it arrives', async () => {
    const body = multipart(fileSource('slow.csv', 'a,b\n1,2\n'))
    const sending = open({ 'content-length': body.length })
    const answered = new Promise<number | undefined>((resolve) =>
      sending.once('response', ({ statusCode }) => resolve(statusCode)),
    )
    for (const byte of body) await new Promise((resolve) => sending.write(Buffer.from([byte]), resolve))
    sending.end()
    expect(await answered).toBe(201)
    expect(await incoming()).toEqual([])
  })
})

describe('a rejected upload', () => {
  it('gets its response early, and is drained so that the response arrives', async () => {
    const body = multipart(fileSource('picture.png', randomBytes(8 * 1024 * 1024)))
    const sending = open({ 'content-length': body.length })
    const answered = new Promise<number | undefined>((resolve, reject) => {
      sending.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject)
    })
    await new Promise((resolve) => sending.write(body.subarray(0, 1024 * 1024), resolve))
    expect(await answered).toBe(400)
    await new Promise<void>((resolve) => sending.end(body.subarray(1024 * 1024), resolve))
    expect(await incoming()).toEqual([])
  })
})

describe('a client that reads only after its last byte, as browsers do', () => {
  it.each([
    ['is a guest', 'Bearer of-nobody', 'notes.txt', 401],
    ['sends what is not read', null, 'picture.png', 400],
    ['sends what is too large', null, 'large.txt', 413],
  ])('gets its response if it %s', async (_what, bearer, name, status) => {
    const size = status === 413 ? maxFileBytes + 2 * 1024 * 1024 : 16 * 1024 * 1024
    const { hostname, port } = new URL(world.listening)
    const socket = connect(Number(port), hostname)
    const head = [
      `POST ${base} HTTP/1.1`,
      `host: ${hostname}`,
      `authorization: ${bearer ?? authorization}`,
      `content-type: ${multipartType}`,
      `content-length: ${size}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const body = Buffer.alloc(size)
    multipart(fileSource(name, '')).copy(body)
    socket.pause()
    await new Promise<void>((resolve, reject) => socket.write(body, (error) => (error ? reject(error) : resolve())))
    socket.resume()
    const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    // The connection can be used again.
    socket.write(`GET /healthz HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`)
    const next = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    expect(next).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
  })
})

describe('a download whose client does not read', () => {
  it('is buffered on disk, not in memory', async () => {
    const content = Buffer.alloc(48 * 1024 * 1024, 'lamp ')
    const init = { headers: { 'content-type': multipartType }, body: multipart(fileSource('long.txt', content)) }
    const response = await world.send('member', 'POST', base, init)
    const { source } = response.body as { source: SourceView }
    const { hostname, port } = new URL(world.listening)
    const connections: Socket[] = []
    world.server.on('connection', (socket) => connections.push(socket))
    const sockets = Array.from({ length: 4 }, () => {
      const socket = connect(Number(port), hostname).pause()
      socket.write(`GET ${base}/${source.id}/file HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`)
      return socket
    })
    const [first] = sockets
    let received = 0
    first?.on('data', (piece) => {
      received += piece.length
    })
    first?.resume()
    await until(() => received > content.length)
    // What the others were given lies in the sockets' own buffers.
    const input = connections.map(({ bytesWritten }) => bytesWritten)
    expect(input.filter((bytes) => bytes > content.length / 2)).toHaveLength(1)
    for (const socket of sockets) socket.destroy()
  })
})

describe('eight concurrent uploads', () => {
  it('are written to disk while they arrive', async () => {
    const size = 16 * 1024 * 1024
    const connections: Socket[] = []
    world.server.on('connection', (socket) => connections.push(socket))
    const before = await storedBytes()
    const piece = randomBytes(64 * 1024)
    const [head = '', tail = ''] = multipart(fileSource('large.txt', 'CONTENT')).toString('latin1').split('CONTENT')
    const send = (_: unknown, index: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sending = open({ 'content-length': head.length + size + tail.length })
        sending.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject)
        sending.write(head)
        let left = size
        const push = () => {
          while (left > 0) {
            left -= piece.length
            // No two are the same.
            if (!sending.write(left > 0 ? piece : Buffer.alloc(piece.length, index)))
              return void sending.once('drain', push)
          }
          sending.end(tail)
        }
        push()
      })
    const statuses = Promise.all(Array.from({ length: 8 }, send))
    let held = 0
    await until(async () => {
      const read = connections.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
      held = Math.max(held, read + before - (await storedBytes()))
      return read >= 8 * size
    })
    expect(await statuses).toEqual(Array(8).fill(201))
    expect(await incoming()).toEqual([])
    // Of eight uploads together, less than one.
    expect(held).toBeLessThan(size)
  })
})
