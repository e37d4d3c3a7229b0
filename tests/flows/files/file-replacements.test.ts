import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { initialPlans } from '../../../contract/organizations/plan'
import { reasonText } from '../../../contract/reasons'
import { engine } from '../../../db/engine'
import { files } from '../../../db/schema/files'
import { organizations } from '../../../db/schema/organizations'
import { usage } from '../../../db/schema/usage'
import { system } from '../../../server/actor'
import { createFileReader } from '../../../server/adapters/file-reading/file-reader'
import type { FileReading } from '../../../server/engine/documents/ports'
import { createBackup } from '../../../server/services/backup/backup'
import { restoreBackup } from '../../../server/services/backup/restore'
import { storageOf } from '../../../server/services/usage/storage'
import { createTestApp, type TestApp } from '../../support/app'
import { createScriptedReader, readingsOf } from '../../support/files/file-reader'
import { createFileCollection, type FileCollection, indexedKeys, storedRows } from '../../support/files/file-sources'
import { storedFileNames } from '../../support/files/stored-files'
import { addressRef } from '../../support/refs'
import { until } from '../../support/until'

// A file keeps its bytes, name, text and citations until its replacement has been read.

let crawled: FileCollection
afterEach(() => crawled.test.close())

const lines = (count: number, word: string, from = 0) =>
  Array.from({ length: count }, (_, index) => `The ${word} number ${from + index} hums.`)
const place = (id: string) =>
  [system, { organizationId: crawled.orgId, collectionId: crawled.collectionId, sourceId: id }] as const

/** Texts by file name. Names in `broken` fail without text; names in `held` wait before their end. */
const texts = new Map<string, string[]>()
const broken = new Set<string>()
const held = new Set<string>()
const waiting = new Set<string>()

async function* readingsFor({ name }: { name: string }, signal: AbortSignal): AsyncGenerator<FileReading> {
  for (const reading of readingsOf(texts.get(name) ?? [])) {
    if (reading.kind === 'end') {
      waiting.add(name)
      await until(() => signal.aborted || !held.has(name))
      signal.throwIfAborted()
      if (broken.has(name)) yield { kind: 'refused', reason: 'file-broken' }
    }
    yield reading
  }
}

async function open(): Promise<FileCollection> {
  texts.clear()
  broken.clear()
  held.clear()
  waiting.clear()
  crawled = await createFileCollection({ fileReader: createScriptedReader(readingsFor) })
  return crawled
}

/** Creates a source with a read file. Returns its id, fragments and address. */
async function openWith(before: string[]) {
  await open()
  texts.set('old.csv', before)
  const id = await crawled.upload('old.csv', 'the old bytes')
  await crawled.test.runner.idle()
  return { id, rows: await crawled.rows(), address: await crawled.address(id) }
}

/** Resolves when the reader has yielded all text of this file and waits before its end. */
const isReadOf = (name: string) => until(() => waiting.has(name))
const bytesOnDisk = async (dataDir = crawled.test.dataDir) => {
  const folder = join(dataDir, 'files')
  const names = await storedFileNames(folder)
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).sort()
}
const storage = () => storageOf(crawled.test.app.db.read, crawled.orgId)
async function original(id: string) {
  const { content, name } = await crawled.test.app.services.fileSources.original(...place(id))
  return { name, text: await text(content) }
}
async function found(query: string) {
  const wanted = { collectionId: crawled.collectionId, query, limit: 50 }
  const { fragments } = await crawled.test.app.services.search.collection(system, crawled.orgId, wanted)
  return fragments.map(({ url, content, link }) => ({ url, content, link }))
}
const refresh = async (id: string) => {
  await crawled.test.app.services.runControl.refresh(...place(id), { crawl: true, auto: false }, { waitMs: 0 })
  await crawled.test.runner.idle()
}

describe.each([
  ['short', 6],
  ['long', 700],
])('a %s file whose replacement', (_length, count) => {
  const old = lines(count, 'lamp')
  // Rewriting any of the equal passages would change its position.
  const next = [...lines(count, 'cord'), ...old.slice(0, 4)]

  it('cannot be read is unchanged, and the source names the rejected file', async () => {
    const { id, rows, address } = await openWith(old)
    texts.set('new.csv', next)
    broken.add('new.csv')
    await crawled.upload('new.csv', 'the new bytes', id)
    await crawled.test.runner.idle()
    const message = `“new.csv” was rejected. ${reasonText('file-broken')} “old.csv” stays as it is.`
    expect(await crawled.source(id)).toMatchObject({
      ...{ status: 'fail', reason: 'file-broken', message, file_name: 'old.csv' },
      file: { bytes: 13, replacement: null },
      last_run: { checked: 1, failed: 1, changed: 0, problem: { reason: 'file-broken', message } },
    })
    expect(await original(id)).toEqual({ name: 'old.csv', text: 'the old bytes' })
    expect(await crawled.rows()).toEqual(rows)
    expect(await crawled.address(id)).toEqual({ ...address, updated_at: expect.any(String) })
    expect(await indexedKeys(crawled.test.app)).toEqual(
      rows.map(({ key }) => key).sort((first, second) => first - second),
    )
    expect((await found('cord hums')).filter(({ content }) => content.includes('cord'))).toEqual([])
    expect([await bytesOnDisk(), await storage()]).toEqual([['the old bytes'], 13])

    await refresh(id)
    expect(await crawled.source(id)).toMatchObject({ status: 'idle', reason: null, message: null })
    expect((await crawled.source(id)).last_run).toMatchObject({ unchanged: 1, failed: 0 })
    expect(await crawled.rows()).toEqual(rows)
  })

  it('is being read is found under its own name, without any of the new text', async () => {
    const { id } = await openWith(old)
    texts.set('new.csv', next)
    held.add('new.csv')
    await crawled.upload('new.csv', 'the new bytes!', id)
    await isReadOf('new.csv')
    expect((await found('lamp number 2')).map(({ url }) => url)).toContain('old.csv')
    expect((await found('cord number 2')).filter(({ content }) => content.includes('cord'))).toEqual([])
    const paging = { page: 1, limit: 2_000 }
    const { id: addressId } = await crawled.address(id)
    const shown = await crawled.test.app.services.addresses.get(system, addressRef(crawled, addressId), paging)
    expect(shown.fragments.total).toBe(count)
    expect(shown.fragments.docs.map(({ content }) => content)).toEqual(old)
    expect(await original(id)).toEqual({ name: 'old.csv', text: 'the old bytes' })
    expect(await crawled.source(id)).toMatchObject({
      file_name: 'old.csv',
      file: { bytes: 13, replacement: { name: 'new.csv', bytes: 14 } },
      progress: { current: 'new.csv' },
    })
    expect([await bytesOnDisk(), await storage()]).toEqual([['the new bytes!', 'the old bytes'], 27])

    held.clear()
    await crawled.test.runner.idle()
    expect(await crawled.source(id)).toMatchObject({
      status: 'idle',
      file_name: 'new.csv',
      file: { replacement: null },
    })
    expect(await original(id)).toEqual({ name: 'new.csv', text: 'the new bytes!' })
    const after = await crawled.rows()
    expect(after.map(({ text }) => text)).toEqual(next)
    expect(after.map(({ ordinal, anchor }) => [ordinal, anchor])).toEqual(
      next.map((_, index) => [index, `row=${index + 2}`]),
    )
    expect((await found('cord number 2'))[0]?.url).toBe('new.csv')
    expect([await bytesOnDisk(), await storage()]).toEqual([['the new bytes!'], 14])
  })

  it.each([
    ['cancelled', false],
    ['paused and cancelled', true],
  ])('is %s is unchanged', async (_what, isHeld) => {
    const { id, rows } = await openWith(old)
    texts.set('new.csv', next)
    held.add('new.csv')
    await crawled.upload('new.csv', 'the new bytes', id)
    await isReadOf('new.csv')
    if (isHeld) {
      await crawled.test.app.services.runControl.pause(...place(id))
      await crawled.test.runner.idle()
      expect((await crawled.source(id)).file?.replacement).toMatchObject({ name: 'new.csv' })
    }
    await crawled.test.app.services.runControl.cancel(...place(id))
    await crawled.test.runner.idle()
    expect(await crawled.source(id)).toMatchObject({
      status: 'idle',
      file_name: 'old.csv',
      file: { replacement: null },
    })
    expect(await crawled.rows()).toEqual(rows)
    expect(await crawled.address(id)).toMatchObject({ url: 'old.csv', status: 'idle', fragments: count })
    expect([await bytesOnDisk(), await storage()]).toEqual([['the old bytes'], 13])
    await refresh(id)
    expect((await crawled.source(id)).last_run).toMatchObject({ unchanged: 1 })
  })
})

describe('a pending replacement', () => {
  /** The month's crawls are used up. */
  async function openWaiting() {
    const opened = await openWith(lines(3, 'lamp'))
    texts.set('new.csv', lines(3, 'cord'))
    const { db } = crawled.test.app
    const now = new Date()
    const month = { organizationId: crawled.orgId, year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 }
    await db.write(async (tx) => {
      await tx.update(organizations).set({ plan: 'free' }).where(eq(organizations.id, crawled.orgId))
      await tx.delete(usage)
      await tx.insert(usage).values({ ...month, crawls: initialPlans.free.crawls })
    })
    return opened
  }

  it('is read in the next month, or replaced by a third file', async () => {
    const { id, rows } = await openWaiting()
    await crawled.upload('new.csv', 'the new bytes', id)
    await crawled.test.runner.idle()
    expect(await crawled.source(id)).toMatchObject({ status: 'crawl-limit', file_name: 'old.csv' })
    expect((await crawled.source(id)).file?.replacement).toMatchObject({ name: 'new.csv' })
    expect(await crawled.rows()).toEqual(rows)
    expect(await bytesOnDisk()).toEqual(['the new bytes', 'the old bytes'])

    texts.set('third.csv', lines(2, 'wick'))
    await crawled.upload('third.csv', 'the third', id)
    expect(await bytesOnDisk()).toEqual(['the old bytes', 'the third'])
    await crawled.test.runner.idle()
    await crawled.test.app.db.write((tx) => tx.delete(usage))
    await refresh(id)
    expect(await crawled.source(id)).toMatchObject({
      status: 'idle',
      file_name: 'third.csv',
      file: { replacement: null },
    })
    expect((await crawled.rows()).map(({ text }) => text)).toEqual(lines(2, 'wick'))
    expect(await bytesOnDisk()).toEqual(['the third'])
  })

  it('is kept after an internal error, and read at the next attempt', async () => {
    let failures = 0
    const fails = async function* (_file: unknown, signal: AbortSignal): AsyncGenerator<FileReading> {
      const entry = {
        args: [fileURLToPath(new URL('../../support/files/file-process.mjs', import.meta.url))],
        loaderBytes: 0,
        loaderMs: 0,
      }
      const reader = createFileReader({ modelFolder: '', entry })
      const name = ++failures > 1 ? 'whole' : 'machine'
      yield* reader.read({ path: '', name, type: 'csv' }, signal)
    }
    let read: (file: { name: string }, signal: AbortSignal) => AsyncGenerator<FileReading> = readingsFor
    texts.set('old.csv', lines(3, 'lamp'))
    crawled = await createFileCollection({ fileReader: createScriptedReader((file, signal) => read(file, signal)) })
    const id = await crawled.upload('old.csv', 'the old bytes')
    await crawled.test.runner.idle()
    read = fails
    await crawled.upload('new.csv', 'the new bytes', id)
    await until(async () => failures === 1)
    await crawled.test.runner.idle()
    expect((await crawled.source(id)).file?.replacement).toMatchObject({ name: 'new.csv' })
    expect(await bytesOnDisk()).toEqual(['the new bytes', 'the old bytes'])
    await until(async () => (await crawled.source(id)).file_name === 'new.csv')
    await crawled.test.runner.idle()
    expect(await crawled.source(id)).toMatchObject({ status: 'idle', reason: null, file: { replacement: null } })
    expect(await bytesOnDisk()).toEqual(['the new bytes'])
  }, 30_000)

  it('is deleted with its source', async () => {
    const { id } = await openWaiting()
    await crawled.upload('new.csv', 'the new bytes', id)
    await crawled.test.runner.idle()
    await crawled.test.app.services.sources.remove(...place(id))
    expect(await storage()).toBe(0)
    await crawled.test.runner.idle()
    expect(await bytesOnDisk()).toEqual([])
  })

  it('is rejected if another source has the same bytes', async () => {
    const { id } = await openWaiting()
    await crawled.upload('new.csv', 'the new bytes', id)
    await crawled.test.runner.idle()
    await expect(crawled.upload('copy.csv', 'the new bytes')).rejects.toMatchObject({ code: 'conflict' })
  })
})

it('counts both files toward the storage limit until the replacement is read', async () => {
  const { id } = await openWith(lines(3, 'lamp'))
  texts.set('new.csv', lines(3, 'cord'))
  const { db } = crawled.test.app
  const most = initialPlans.free.storage
  await db.write(async (tx) => {
    await tx.update(organizations).set({ plan: 'free' }).where(eq(organizations.id, crawled.orgId))
    await tx.update(files).set({ bytes: most })
  })
  held.add('new.csv')
  await crawled.upload('new.csv', 'the new bytes', id)
  expect(await storage()).toBe(most + 13)
  await expect(crawled.upload('other.csv', 'others')).rejects.toMatchObject({ code: 'quota_exceeded' })
  held.clear()
  await crawled.test.runner.idle()
  expect(await storage()).toBe(13)
  await crawled.upload('other.csv', 'others')
})

describe.runIf(engine === 'sqlite')('a backup during a replacement', () => {
  const old = lines(3, 'lamp')
  const next = lines(3, 'cord')

  /** The collection as it is in the archive, with jobs that run. */
  async function restored(archive: string): Promise<TestApp> {
    const dataDir = await mkdtemp(join(tmpdir(), 'sitelore-restored-'))
    const folder = { dataDir, databaseFile: join(dataDir, 'sitelore.db') }
    await restoreBackup(folder, { archive, force: false })
    return createTestApp({ DATA_DIR: dataDir }, { fileReader: createScriptedReader(readingsFor) })
  }

  async function backUp(): Promise<string> {
    const { dataDir, databaseFile } = crawled.test.app.config
    const target = join(await mkdtemp(join(tmpdir(), 'sitelore-backup-')), 'middle.tar.gz')
    await createBackup({ dataDir, databaseFile }, { target, version: '0' })
    return target
  }

  it.each([
    ['finishes the replacement after the restore', false],
    ['keeps the old file if the replacement fails after the restore', true],
  ])('%s', async (_what, isBroken) => {
    const { id } = await openWith(old)
    texts.set('new.csv', next)
    held.add('new.csv')
    await crawled.upload('new.csv', 'the new bytes', id)
    await isReadOf('new.csv')
    const archive = await backUp()
    held.clear()
    if (isBroken) broken.add('new.csv')
    const otherTestApp = await restored(archive)
    try {
      await otherTestApp.runner.idle()
      const source = await otherTestApp.app.services.sources.get(...place(id))
      const name = isBroken ? 'old.csv' : 'new.csv'
      expect(source).toMatchObject({ status: isBroken ? 'fail' : 'idle', file_name: name, file: { replacement: null } })
      expect((await storedRows(otherTestApp.app)).map(({ text }) => text)).toEqual(isBroken ? old : next)
      expect(await bytesOnDisk(otherTestApp.dataDir)).toEqual([isBroken ? 'the old bytes' : 'the new bytes'])
    } finally {
      await otherTestApp.close()
    }
  })
})
