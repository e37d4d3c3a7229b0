import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { maxFileBytes } from '../../../contract/sources/file'
import { problemSchema } from '../../../contract/views/problem'
import { files } from '../../../db/schema/files'
import { jobs } from '../../../db/schema/jobs'
import type { Caller } from '../../support/api/api-world'
import { fileSource, multipart, multipartType, partBoundary } from '../../support/api/multipart'
import { type FileWorld, sourceIn, startFileWorld } from '../../support/files/file-world'
import { bytesOfSource } from '../../support/files/stored-files'
import { issueToken } from '../../support/people/access-token'
import { createPerson } from '../../support/people/people'

// Uploads to /v1. No job runs here.

let world: FileWorld
beforeAll(async () => {
  world = await startFileWorld()
})
// All tests share one collection.
beforeEach(() => world.forgetBytes())
afterAll(() => world.close())

describe('an upload', () => {
  it('becomes a source, whose run is enqueued', async () => {
    const response = await world.post([
      { name: 'name', content: 'Prices' },
      { name: 'status', content: 'new' },
      ...fileSource('Preise für Lampen.csv', 'lamp,price\nStorm 40,12\n'),
    ])
    expect(response.status, response.text).toBe(201)
    const source = sourceIn(response)
    expect(source).toMatchObject({
      type: 'file',
      name: 'Prices',
      status: 'processing',
      url: null,
      file_name: 'Preise für Lampen.csv',
      file: { type: 'csv', bytes: 23 },
      refresh_due_at: null,
      options: { refresh_interval: 'never', include: [] },
      last_run: { kind: 'full', finished_at: null },
    })
    const file = await world.app.services.files.find(source.id)
    expect(file).toMatchObject({ name: 'Preise für Lampen.csv', type: 'csv', sha256: source.file?.sha256 })
    expect((await bytesOfSource(world.app, source.id)).toString()).toBe('lamp,price\nStorm 40,12\n')
    const waiting = await world.app.db.read
      .select()
      .from(jobs)
      .where(eq(jobs.dedupeKey, `crawl-source:${source.id}`))
    expect(waiting).toMatchObject([{ kind: 'crawl-source', payload: { sourceId: source.id } }])
    expect(await world.incoming()).toEqual([])
  })

  it('may precede the other fields, and is named after the file by default', async () => {
    const long = `${'lamp '.repeat(20)}.txt`
    const [type, file] = fileSource(long, 'text')
    const source = sourceIn(await world.post([file, type].filter((part) => part !== undefined)))
    expect(source).toMatchObject({ name: long.slice(0, 64), file_name: long })
    const named = sourceIn(
      await world.post([...fileSource('notes.txt', 'other text'), { name: 'name', content: ' Notes ' }]),
    )
    expect(named.name).toBe('Notes')
  })

  it('works with a standard multipart client', async () => {
    const form = new FormData()
    form.set('type', 'file')
    form.set('file', new File(['a text'], 'höhe "1".txt', { type: 'text/plain' }))
    const response = await world.send('admin', 'POST', world.base, { body: form })
    expect(response.status, response.text).toBe(201)
    expect(sourceIn(response).file_name).toBe('höhe %221%22.txt')
  })

  it('shares its route with URL sources, sent as multipart or JSON', async () => {
    const parts = [
      { name: 'type', content: 'url' },
      { name: 'url', content: 'https://lamps.example/parts' },
      { name: 'file', filename: '', content: '' },
    ]
    expect(sourceIn(await world.post(parts))).toMatchObject({
      type: 'url',
      url: 'https://lamps.example/parts',
      file: null,
    })
    const response = await world.sendJson('member', 'POST', world.base, {
      type: 'url',
      url: 'https://lamps.example/json',
    })
    expect(response.status).toBe(201)
  })

  it.each<[Caller, number]>([
    ['guest', 401],
    ['stranger', 404],
    ['viewer', 403],
  ])('rejects an upload of a %s, and stores nothing', async (caller, status) => {
    const before = await world.onDisk()
    expect((await world.post(fileSource('notes.txt', 'text'), caller)).status).toBe(status)
    expect(await world.onDisk()).toEqual(before)
    expect(await world.incoming()).toEqual([])
  })

  it('into a missing collection is rejected', async () => {
    const path = `/v1/${world.own.organization}/sources/${world.foreign.collection}`
    const init = { headers: { 'content-type': multipartType }, body: multipart(fileSource('notes.txt', 'text')) }
    expect((await world.send('member', 'POST', path, init)).status).toBe(404)
    expect(await world.incoming()).toEqual([])
  })
})

describe('an upload over a limit', () => {
  const tooLarge = {
    code: 'too_large',
    title: "Cannot upload file, it's too big",
    message: 'Try uploading a file that is smaller than 64 MB!',
    errors: { file: ['Try uploading a file that is smaller than 64 MB!'] },
  }

  /** A streamed body of this many bytes, never in memory as a whole. */
  function endless(bytes: number): ReadableStream<Uint8Array> {
    const head = multipart(fileSource('large.txt', '')).subarray(0, -partBoundary.length - 8)
    let left = bytes
    return new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(head)),
      pull(controller) {
        if (left <= 0) return controller.close()
        controller.enqueue(new Uint8Array(Math.min(left, 1024 * 1024)))
        left -= 1024 * 1024
      },
    })
  }

  it('is rejected while it arrives', async () => {
    const init = {
      headers: { 'content-type': multipartType },
      body: endless(maxFileBytes + 8 * 1024 * 1024),
      duplex: 'half',
    }
    const response = await world.send('member', 'POST', world.base, init)
    expect(response.status).toBe(413)
    expect(response.body).toMatchObject(tooLarge)
    expect(await world.incoming()).toEqual([])
  })

  it('is rejected before its body is read if its length is declared', async () => {
    const { email } = await createPerson(world.app, { [world.own.organization]: 'member' })
    const announced = request(world.listening + world.base, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await issueToken(world.app, email)}`,
        'content-type': multipartType,
        'content-length': maxFileBytes + 3 * 1024 * 1024,
      },
    })
    announced.flushHeaders()
    const [response] = (await once(announced, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(413)
    expect(await json(response)).toMatchObject(tooLarge)
    announced.destroy()
  })

  it('rejects form fields as in other bodies', async () => {
    const count = Array.from({ length: 3 }, (_, index) => ({ name: `f${index}`, content: 'x'.repeat(500_000) }))
    const response = await world.post([...count, ...fileSource('notes.txt', 'text')])
    expect([response.status, problemSchema.parse(response.body).message]).toEqual([
      413,
      'The body may have at most 1 MiB.',
    ])
  })

  it("is rejected over the plan's limit, and deleting a file makes room", async () => {
    const { organization, collection } = world.foreign
    const path = `/v1/${organization}/sources/${collection}`
    const send = (name: string, bytes: number) => {
      const body = multipart(fileSource(name, 'x'.repeat(bytes)))
      return world.send('stranger', 'POST', path, { headers: { 'content-type': multipartType }, body })
    }
    const used = async () => {
      const response = await world.send('stranger', 'GET', `/v1/organizations/${organization}/currentUsage`)
      return (response.body as { usage: { storage: number } }).usage.storage
    }
    await world.setPlan('free', organization)
    const before = await used()
    const { id } = sourceIn(await send('counted.txt', 1_000))
    expect(await used()).toBe(before + 1_000)
    const nearlyAll = { bytes: 512 * 1024 * 1024 - before - 100 }
    await world.app.db.write((tx) => tx.update(files).set(nearlyAll).where(eq(files.sourceId, id)))
    expect(sourceIn(await send('fits.txt', 100)).file).toMatchObject({ bytes: 100 })
    const there = await world.onDisk()
    const refused = await send('over.txt', 1)
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({
      code: 'quota_exceeded',
      title: 'Usage limit reached',
      message: 'Your plan allows 512 MB of files; delete a file or ask the operator for a larger plan.',
    })
    expect(await world.onDisk()).toEqual(there)
    expect((await world.send('stranger', 'DELETE', `${path}/${id}`)).status).toBe(204)
    expect(await used()).toBe(before + 100)
    expect((await send('over.txt', 1)).status).toBe(201)
  })

  it("enforces the plan's limit for concurrent uploads", async () => {
    const { organization, collection } = world.foreign
    const path = `/v1/${organization}/sources/${collection}`
    const [part] = await world.app.db.read.select().from(files).where(eq(files.name, 'fits.txt'))
    const left = { bytes: 512 * 1024 * 1024 - 1_500 }
    await world.app.db.write((tx) =>
      tx
        .update(files)
        .set(left)
        .where(eq(files.id, part?.id ?? '')),
    )
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        const body = multipart(fileSource('many.txt', String(index).repeat(400)))
        return world.send('stranger', 'POST', path, { headers: { 'content-type': multipartType }, body })
      }),
    )
    const taken = responses.filter(({ status }) => status === 201).length
    expect(taken).toBe(3)
    expect(await world.incoming()).toEqual([])
  })
})

describe('the same bytes in one collection', () => {
  it('are rejected with the name of the source that has them, whatever the file name', async () => {
    await world.upload('first.txt', 'the same')
    const before = await world.onDisk()
    const again = await world.post(fileSource('copy.txt', 'the same'))
    const message = 'This collection already has this file, as "first.txt".'
    expect([again.status, again.body]).toMatchObject([409, { code: 'conflict', message, errors: { file: [message] } }])
    expect([await world.onDisk(), await world.incoming()]).toEqual([before, []])
    expect((await world.upload('first.txt', 'not the same')).name).toBe('first.txt')
  })
})
