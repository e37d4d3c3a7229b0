import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFolderArchives } from '../../../server/adapters/backup/folder-archives'
import { createS3Archives } from '../../../server/adapters/backup/s3-archives'
import type { ArchiveStore } from '../../../server/engine/ports/archive-store'
import { type ObjectStore, startObjectStore } from '../../support/cluster/object-store'

const credentials = { accessKeyId: 'the-key', secretAccessKey: 'the-secret' }
const open = new AbortController().signal
let objects: ObjectStore
beforeAll(async () => {
  objects = await startObjectStore('backups')
})
afterAll(() => objects.close())
beforeEach(() => {
  objects.objects.clear()
  objects.failure = null
})

const newFolder = () => mkdtemp(join(tmpdir(), 'sitelore-archives-'))
function openS3(bucket = 'backups'): ArchiveStore {
  return createS3Archives({ bucket, prefix: 'one/', region: 'us-east-1', endpoint: objects.endpoint, credentials })
}

async function fileOf(content: Buffer): Promise<string> {
  const path = join(await newFolder(), 'file')
  await writeFile(path, content)
  return path
}

const stores: [string, () => Promise<{ store: ArchiveStore; read(name: string): Promise<Buffer | undefined> }>][] = [
  [
    'a folder',
    async () => {
      const folder = join(await newFolder(), 'backups')
      return { store: createFolderArchives(folder), read: (name) => readFile(join(folder, name)) }
    },
  ],
  [
    'an S3-compatible store',
    async () => ({ store: openS3(), read: async (name) => objects.objects.get(`one/${name}`) }),
  ],
]

describe.each(stores)('%s', (_, create) => {
  it('has no archives at first', async () => {
    const { store } = await create()
    expect(await store.list()).toEqual([])
  })

  it.each([
    ['small', 1_000],
    ['larger than one part', 9 * 2 ** 20],
  ])('stores, lists and removes a %s archive', async (_size, bytes) => {
    const { store, read } = await create()
    const content = randomBytes(bytes)
    const file = await fileOf(content)
    await store.put('a.tar.gz', file, open)
    expect((await read('a.tar.gz'))?.equals(content)).toBe(true)
    await expect(stat(file)).rejects.toThrow('ENOENT')
    for (const name of ['b', 'c', 'd']) await store.put(name, await fileOf(Buffer.from(name)), open)
    const names = (await store.list()).sort((a, b) => (a.name < b.name ? -1 : 1))
    expect(names).toEqual([{ name: 'a.tar.gz', bytes }, ...['b', 'c', 'd'].map((name) => ({ name, bytes: 1 }))])
    await store.remove('b')
    await store.remove('missing')
    expect((await store.list()).map(({ name }) => name).sort()).toEqual(['a.tar.gz', 'c', 'd'])
    await store.close()
  })

  it('stores nothing if its signal has aborted', async () => {
    const { store } = await create()
    await expect(store.put('a', await fileOf(Buffer.from('a')), AbortSignal.abort())).rejects.toThrow()
    expect(await store.list()).toEqual([])
  })
})

it('keeps what another program has put into the folder, and removes its own draft after a failure', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'notes.txt'), 'mine')
  const store = createFolderArchives(folder)
  await expect(store.put('a', join(folder, 'missing'), open)).rejects.toThrow('ENOENT')
  expect(await readdir(folder)).toEqual(['notes.txt'])
})

it('rejects an archive that the store returns with other bytes', async () => {
  const store = openS3()
  const set = objects.objects.set.bind(objects.objects)
  objects.objects.set = (key) => set(key, Buffer.from('other bytes'))
  await expect(store.put('a', await fileOf(Buffer.from('a')), open)).rejects.toThrow('returns other bytes')
  objects.objects.set = set
})

it('rejects with the reason of a store that refuses', async () => {
  objects.failure = { status: 403, code: 'AccessDenied' }
  await expect(openS3().put('a', await fileOf(Buffer.from('a')), open)).rejects.toThrow('AccessDenied')
})
