import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { maxFileBytes } from '../../../contract/sources/file'
import { openTestApp } from '../../../tests/support/app'
import type { App } from '../../app'

let app: App
let folder: string
let incoming: string
beforeAll(async () => {
  const opened = await openTestApp()
  app = opened.app
  folder = join(opened.dataDir, 'files')
  incoming = join(folder, 'incoming')
})
afterAll(() => app.close())
afterEach(() => vi.restoreAllMocks())

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

const incomingNames = () => readdir(incoming).catch(() => [])

describe('receive', () => {
  it('writes an upload under a new name with mode 0600', async () => {
    const file = await app.services.files.receive('../Prices 2026.CSV', chunks('lamp,', 'price\n'))
    const sha256 = createHash('sha256').update('lamp,price\n').digest('hex')
    expect(file).toEqual({ id: file.id, name: 'Prices 2026.CSV', type: 'csv', bytes: 11, sha256 })
    expect(await readFile(join(incoming, file.id), 'utf8')).toBe('lamp,price\n')
    expect((await stat(join(incoming, file.id))).mode & 0o777).toBe(0o600)
    expect((await stat(incoming)).mode & 0o777).toBe(0o700)
    await app.services.files.discard(file)
    expect(await incomingNames()).toEqual([])
  })

  it.each([
    ['', /no visible name/],
    ['..', /no visible name/],
    ['folder/', /no visible name/],
    ['\u202e\u0000', /no visible name/],
    ['photo.png', /not supported/],
    ['README', /not supported/],
    ['notes.txt.exe', /not supported/],
    ['fdp\u202e.txt.exe', /not supported/],
    [`${'x'.repeat(10_000)}.txt`, /at most 255 characters\.$/],
  ])('rejects the name %j before it stores a byte', async (name, message) => {
    const refused = app.services.files.receive(name, chunks('text'))
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: { file: [expect.stringMatching(message)] } },
    })
    expect(await incomingNames()).toEqual([])
  })

  it('rejects an empty file', async () => {
    const refused = app.services.files.receive('notes.txt', chunks('', ''))
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', message: 'The file is empty.' })
    expect(await incomingNames()).toEqual([])
  })

  it('stops at the first byte over the limit, without reading on', async () => {
    const mebibyte = new Uint8Array(1024 * 1024)
    let chunkCount = 0
    async function* endless() {
      for (; chunkCount < 200; chunkCount++) yield mebibyte
    }
    await expect(app.services.files.receive('large.txt', endless())).rejects.toMatchObject({
      code: 'too_large',
      message: 'Try uploading a file that is smaller than 64 MB!',
      details: { title: "Cannot upload file, it's too big" },
    })
    expect(chunkCount).toBe(maxFileBytes / mebibyte.length)
    expect(await incomingNames()).toEqual([])
  })

  it('removes an interrupted upload', async () => {
    async function* broken() {
      yield Buffer.from('half')
      throw new Error('gone')
    }
    await expect(app.services.files.receive('notes.txt', broken())).rejects.toThrow('gone')
    expect(await incomingNames()).toEqual([])
  })

  it('reports a full disk and removes the upload', async () => {
    await mkdir(incoming, { recursive: true })
    const probe = await open(join(folder, 'probe'), 'w')
    const handle = Object.getPrototypeOf(probe)
    await probe.close()
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    vi.spyOn(handle, 'write').mockRejectedValue(full)
    await expect(app.services.files.receive('notes.txt', chunks('text'))).rejects.toMatchObject({
      code: 'storage_full',
      message: 'The disk of this server is full, so nothing can be stored. Free some space, then try again.',
    })
    expect(await incomingNames()).toEqual([])
  })
})

describe('store', () => {
  it('moves the file to its path, and removes it if its row is not stored', async () => {
    const kept = await app.services.files.receive('notes.txt', chunks('kept'))
    expect(await app.services.files.store(kept, async () => 'stored')).toBe('stored')
    expect(await readFile(join(folder, kept.id), 'utf8')).toBe('kept')
    const lost = await app.services.files.receive('notes.txt', chunks('lost'))
    await expect(app.services.files.store(lost, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await readdir(folder)).not.toContain(lost.id)
    expect(await incomingNames()).toEqual([])
    await app.services.files.removeBytes([kept.id, kept.id])
    expect(await readdir(folder)).not.toContain(kept.id)
  })
})

describe('removeLeftovers', () => {
  it('removes only old files without a row', async () => {
    const now = new Date()
    const old = new Date(now.getTime() - 7 * 3_600_000)
    const [young, orphan, half] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    await mkdir(incoming, { recursive: true })
    for (const path of [join(folder, young), join(folder, orphan), join(incoming, half), join(folder, 'note.txt')])
      await writeFile(path, 'text')
    for (const path of [join(folder, orphan), join(incoming, half), join(folder, 'note.txt')])
      await utimes(path, old, old)
    expect(await app.services.files.removeLeftovers(now)).toBe(2)
    expect(await readdir(folder)).toEqual(expect.arrayContaining([young, 'note.txt', 'incoming']))
    expect(await readdir(folder)).not.toContain(orphan)
    expect(await incomingNames()).toEqual([])
  })
})
