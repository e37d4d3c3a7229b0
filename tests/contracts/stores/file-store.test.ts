import { mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFolderStore } from '../../../server/adapters/file-store/folder-store'
import { createS3Store } from '../../../server/adapters/file-store/s3-store'
import type { FileStore } from '../../../server/engine/ports/file-store'
import { type ObjectStore, startObjectStore } from '../../support/cluster/object-store'

const credentials = { accessKeyId: 'the-key', secretAccessKey: 'the-secret' }
let objects: ObjectStore

beforeAll(async () => {
  objects = await startObjectStore('sitelore-files')
})
afterAll(() => objects.close())
beforeEach(() => {
  objects.objects.clear()
  objects.failure = null
})

const newFolder = () => mkdtemp(join(tmpdir(), 'sitelore-store-'))
async function openS3({ bucket = 'sitelore-files', prefix = 'one/' } = {}): Promise<FileStore> {
  const settings = { bucket, prefix, region: 'us-east-1', endpoint: objects.endpoint, credentials }
  return createS3Store(settings, join(await newFolder(), 'incoming'))
}
const stores: [string, () => Promise<FileStore>][] = [
  ['a folder', async () => createFolderStore(await newFolder())],
  ['an S3-compatible store', () => openS3()],
]

async function incoming(store: FileStore, content: string | Buffer): Promise<string> {
  await mkdir(store.incomingFolder, { recursive: true })
  const path = join(store.incomingFolder, crypto.randomUUID())
  await writeFile(path, content)
  return path
}
async function idsOf(store: FileStore): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of store.list()) ids.push(id)
  return ids.sort()
}
const contentOf = async (store: FileStore, id: string) => buffer(await store.read(id))

describe.each(stores)('FileStore: %s', (_, open) => {
  let store: FileStore
  beforeEach(async () => {
    store = await open()
    await store.assertUsable()
  })

  it('stores a file of any content, and moves it out of the incoming ones', async () => {
    for (const content of [Buffer.alloc(0), Buffer.from('Zażółć'), Buffer.alloc(3_000_000, 'lamp')]) {
      const path = await incoming(store, content)
      await store.put('a-file', path)
      expect(Buffer.compare(await contentOf(store, 'a-file'), content)).toBe(0)
      await expect(stat(path)).rejects.toThrow('ENOENT')
    }
  })

  it('opens a file on this machine until it is released', async () => {
    await store.put('a-file', await incoming(store, 'text'))
    const file = await store.open('a-file')
    expect(await readFile(file.path, 'utf8')).toBe('text')
    await file.release()
    expect((await contentOf(store, 'a-file')).toString()).toBe('text')
  })

  it('lists all files with their times, and none that is incomplete', async () => {
    expect(await idsOf(store)).toEqual([])
    for (const id of ['e', 'd', 'c', 'b', 'a']) await store.put(id, await incoming(store, id))
    await incoming(store, 'half')
    expect(await idsOf(store)).toEqual(['a', 'b', 'c', 'd', 'e'])
    for await (const { modifiedAt } of store.list()) expect(modifiedAt.getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('belongs to the installation that claims it first, and does not list its note', async () => {
    await store.claim('one')
    await store.claim('one')
    await expect(store.claim('two')).rejects.toThrow('FILES: these are the files of another installation. Name')
    expect(await idsOf(store)).toEqual([])
  })

  it('removes a file, also one that is missing, and rejects reads of it', async () => {
    await store.put('a-file', await incoming(store, 'text'))
    await store.remove('a-file')
    await store.remove('a-file')
    await expect(store.read('a-file')).rejects.toThrow()
    await expect(store.open('a-file')).rejects.toThrow()
  })
})

describe('an S3-compatible store', () => {
  it('keeps to its prefix, and signs each request', async () => {
    const [one, two] = [await openS3(), await openS3({ prefix: 'two/' })]
    await one.put('id', await incoming(one, 'first'))
    await two.put('id', await incoming(two, 'second'))
    expect([...objects.objects.keys()].sort()).toEqual(['one/id', 'two/id'])
    expect(await idsOf(two)).toEqual(['id'])
    const unsigned = objects.requests.filter(({ authorization }) => !authorization.includes('Credential=the-key/'))
    expect(unsigned).toEqual([])
  })

  it('says at the start what is wrong', async () => {
    await expect((await openS3({ bucket: 'no-such-bucket' })).assertUsable()).rejects.toThrow(
      'FILES: there is no bucket no-such-bucket. Create it.',
    )
    objects.failure = { status: 403, code: 'AccessDenied' }
    await expect((await openS3()).assertUsable()).rejects.toThrow('FILES: the key may not use the bucket')
  })

  it('refuses an upload that cannot be stored, and keeps the incoming file', async () => {
    const store = await openS3()
    const path = await incoming(store, 'text')
    objects.failure = { status: 403, code: 'AccessDenied' }
    await expect(store.put('id', path)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await readFile(path, 'utf8')).toBe('text')
    await expect(store.open('id')).rejects.toThrow()
  })
})
