import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { reasonText } from '../../../contract/reasons'
import { system } from '../../../server/actor'
import { createFileReader } from '../../../server/adapters/file-reading/file-reader'
import type { FileReader, FileReading, FileToRead } from '../../../server/engine/documents/ports'
import { docxOf } from '../../support/files/docx'
import { createScriptedReader, readingsOf } from '../../support/files/file-reader'
import { createFileCollection, type FileCollection, indexedKeys } from '../../support/files/file-sources'
import { addressRef } from '../../support/refs'
import { until } from '../../support/until'

let crawled: FileCollection
afterEach(() => crawled.test.close())

const texts = (count: number, word = 'lamp') =>
  Array.from({ length: count }, (_, index) => `The ${word} number ${index} hums.`)
const place = (id: string) =>
  [system, { organizationId: crawled.orgId, collectionId: crawled.collectionId, sourceId: id }] as const

async function open(fileReader: FileReader): Promise<FileCollection> {
  crawled = await createFileCollection({ fileReader })
  return crawled
}

/** A collection whose files have these texts, whatever is uploaded. */
async function openWith(
  read: (file: FileToRead, signal: AbortSignal) => Iterable<FileReading> | AsyncIterable<FileReading>,
) {
  return open(createScriptedReader(read))
}

async function refresh(id: string) {
  await crawled.test.app.services.runControl.refresh(...place(id), { crawl: true, auto: false }, { waitMs: 0 })
  await crawled.test.runner.idle()
}

describe('an uploaded file', () => {
  it('is read in a process of its own, stored, found, and cited with its location', async () => {
    const reader = createFileReader({ modelFolder: 'models/all-MiniLM-L6-v2' })
    let reads = 0
    const { upload, test, source, address, rows } = await open({
      read(file, signal) {
        reads++
        return reader.read(file, signal)
      },
      close: () => reader.close(),
    })
    const id = await upload('prices.csv', 'lamp,euros\nStorm 40,12\nDesk 7,31\n')
    await test.runner.idle()
    expect(await source(id)).toMatchObject({ status: 'idle', reason: null, progress: null, addresses: 1 })
    expect((await source(id)).last_run).toMatchObject({ checked: 1, fetched: 1, new: 1, failed: 0 })
    expect(await address(id)).toMatchObject({ url: 'prices.csv', status: 'idle', meta_title: 'prices.csv', bytes: 33 })
    const query = { collectionId: crawled.collectionId, query: 'storm euros', limit: 5 }
    const found = await test.app.services.search.collection(system, crawled.orgId, query)
    expect(found.fragments[0]).toMatchObject({ url: 'prices.csv', link: 'prices.csv#row=2', title: 'prices.csv' })
    expect(found.fragments[0]?.content).toContain('Storm 40')
    const ids = { address_id: (await address(id)).id, collection_id: crawled.collectionId }
    expect(found.fragments[0]).toMatchObject(ids)

    const before = await rows()
    await refresh(id)
    expect(reads).toBe(1)
    expect((await source(id)).last_run).toMatchObject({ checked: 1, unchanged: 1, fetched: 0, fragments: 0 })
    expect(await rows()).toEqual(before)

    // One that a person asks for is read, whatever is known of it.
    await test.app.services.addresses.retry(system, addressRef(crawled, (await address(id)).id))
    await test.runner.idle()
    expect(reads).toBe(2)
    expect(await rows()).toEqual(before)
  })

  it('is rejected a second time with the name of its source; a deleted source has no file', async () => {
    const { upload, test, source } = await openWith(() => readingsOf(texts(1)))
    const known = await upload('lamps.txt', 'same')
    const otherText = await upload('lamps.txt', 'other')
    await test.runner.idle()
    const message = 'This collection already has this file, as "lamps.txt".'
    const refusal = { code: 'conflict', message, details: { fields: { file: [message] } } }
    await expect(upload('copy.txt', 'same')).rejects.toMatchObject(refusal)
    await expect(upload('copy.txt', 'same', otherText)).rejects.toMatchObject(refusal)
    expect(await source(otherText)).toMatchObject({ status: 'idle', file_name: 'lamps.txt' })
    await upload('lamps.txt', 'same', known)
    await test.runner.idle()
    await test.app.services.sources.remove(...place(known))
    await upload('copy.txt', 'same')
  })

  it('keeps the earlier text of a file that cannot be read, and gives the reason', async () => {
    const { upload, test, source, address, rows } = await open(
      createFileReader({ modelFolder: 'models/all-MiniLM-L6-v2' }),
    )
    const bad = await upload('broken.pdf', 'This is no PDF.')
    await test.runner.idle()
    const reason = (await address(bad)).reason
    expect(reason).toMatch(/^file-(mismatch|broken)$/)
    expect(await source(bad)).toMatchObject({ status: 'fail', reason, message: (await address(bad)).message })
    expect((await source(bad)).last_run).toMatchObject({ checked: 1, failed: 1, new: 0 })

    const good = await upload('prices.csv', 'lamp,euros\nStorm 40,12\n')
    await test.runner.idle()
    const before = await rows()
    await upload('prices.csv', Buffer.from([0, 1, 2, 0xff, 0, 0, 9]), good)
    await test.runner.idle()
    expect(await source(good)).toMatchObject({ status: 'fail', reason: expect.stringMatching(/^file-/) })
    expect(await rows()).toEqual(before)
  })

  it('keeps equal fragments of a replaced file if they do not contain its name', async () => {
    let content = texts(30)
    const { upload, test, source, address, rows } = await openWith(() => readingsOf(content))
    const id = await upload('old.txt', 'a')
    await test.runner.idle()
    const before = await rows()
    content = ['A new first line.', ...content.slice(5)]
    await upload('new?a&a&a&a&a.txt', 'b', id)
    await test.runner.idle()
    const after = await rows()
    expect(after.map(({ text }) => text)).toEqual(content)
    expect(after.slice(1).map((row) => row.id)).toEqual(before.slice(5).map((row) => row.id))
    expect(after.map(({ ordinal, anchor }) => [ordinal, anchor])).toEqual(
      content.map((_, index) => [index, `row=${index + 2}`]),
    )
    expect(await address(id)).toMatchObject({ url: 'new?a&a&a&a&a.txt', fragments: 26 })
    expect((await source(id)).last_run).toMatchObject({ changed: 1, fragments: 1 })
  })

  it('keeps fragments of a file that is replaced under a new name if it has a title, and none if its name is the title', async () => {
    const { upload, test, rows } = await open(createFileReader({ modelFolder: 'models/all-MiniLM-L6-v2' }))
    const care = texts(60).map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)
    const word = (body: string[]) => docxOf({ body: body.join(''), properties: '<dc:title>Care of lamps</dc:title>' })
    const lamps = 'lamp,euros\nStorm 40,12\nDesk 7,31\n'
    const titled = await upload('may.docx', word(care))
    const untitled = await upload('may.csv', lamps)
    await test.runner.idle()
    const before = await rows()
    await upload('june.docx', word([...care, '<w:p><w:r><w:t>A new last line.</w:t></w:r></w:p>']), titled)
    await upload('june.csv', lamps, untitled)
    await test.runner.idle()
    const after = await rows()
    const idsOf = (batch: typeof before, title: string) => batch.flatMap((row) => (row.title === title ? [row.id] : []))
    const stayed = idsOf(after, 'Care of lamps').filter((id) => idsOf(before, 'Care of lamps').includes(id))
    expect(stayed.length).toBeGreaterThan(1)
    expect(stayed).toEqual(idsOf(before, 'Care of lamps').slice(0, stayed.length))
    // A name is searched and embedded with its fragments: under a new one they are new.
    expect(idsOf(after, 'may.csv')).toEqual([])
    expect(idsOf(after, 'june.csv')).toHaveLength(idsOf(before, 'may.csv').length)
    expect(idsOf(after, 'june.csv').some((id) => idsOf(before, 'may.csv').includes(id))).toBe(false)
  }, 30_000)

  it('keeps the fragments of a table when one row is inserted', async () => {
    const reader = createFileReader({ modelFolder: 'models/all-MiniLM-L6-v2' })
    const { upload, test, source, rows } = await open(reader)
    const lamps = Array.from({ length: 300 }, (_, index) => `Lamp ${1_000 + index},${index % 90},oak and brass`)
    const id = await upload('prices.csv', ['name,euros,made of', ...lamps].join('\n'))
    await test.runner.idle()
    const before = new Map((await rows()).map(({ id, text }) => [id, text]))
    expect(before.size).toBeGreaterThan(15)
    lamps.splice(3, 0, 'Lamp 9000,7,glass')
    await upload('prices.csv', ['name,euros,made of', ...lamps].join('\n'), id)
    await test.runner.idle()
    const after = await rows()
    const same = after.filter((row) => before.get(row.id) === row.text)
    expect(same.length).toBeGreaterThan(before.size * 0.6)
    expect((await source(id)).last_run).toMatchObject({ changed: 1, fragments: after.length - same.length })
  }, 30_000)

  it('is read again under another name or type, although its bytes are equal', async () => {
    const read: FileToRead[] = []
    const { upload, test, address } = await openWith((file) => {
      read.push(file)
      return readingsOf(texts(2))
    })
    const id = await upload('prices.txt', 'lamp,9\n')
    await test.runner.idle()
    await upload('prices.csv', 'lamp,9\n', id)
    await test.runner.idle()
    await upload('lamps.csv', 'lamp,9\n', id)
    await test.runner.idle()
    expect(read.map(({ name, type }) => [name, type])).toEqual([
      ['prices.txt', 'txt'],
      ['prices.csv', 'csv'],
      ['lamps.csv', 'csv'],
    ])
    expect(await address(id)).toMatchObject({ url: 'lamps.csv', content_type: 'csv' })
  })

  it('gives a file that replaces one that was never read its name at once', async () => {
    const { upload, test, address } = await openWith(() => [{ kind: 'refused', reason: 'file-broken' }])
    const id = await upload('prices.csv', 'a')
    await test.runner.idle()
    await upload('offers.csv', 'b', id)
    await test.runner.idle()
    expect(await address(id)).toMatchObject({ url: 'offers.csv', message: reasonText('file-broken') })
  })

  it('is indexed with a note if only a part of it was read, and keeps the note', async () => {
    const { upload, test, source, address } = await openWith(function* () {
      for (const reading of readingsOf(texts(3))) {
        if (reading.kind === 'end') yield { kind: 'note', reason: 'file-cut', pages: 5_000 }
        yield reading
      }
    })
    const id = await upload('lamps.pdf', 'a')
    await test.runner.idle()
    const noted = { status: 'idle', reason: 'file-cut', message: reasonText('file-cut', { pages: 5_000 }) }
    expect(noted.message).toContain('5,000 pages')
    expect(await address(id)).toMatchObject(noted)
    expect(await source(id)).toMatchObject({ status: 'idle', reason: null })
    await refresh(id)
    expect(await address(id)).toMatchObject(noted)
  })

  it('reports its progress', async () => {
    let goOn = () => {}
    const { upload, source, test } = await openWith(async function* () {
      yield { kind: 'progress', done: 300, total: 1000 }
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      yield* readingsOf(texts(3))
    })
    const id = await upload('long.csv', 'a')
    await until(async () => (await source(id)).progress?.total === 1000)
    expect((await source(id)).progress).toMatchObject({ done: 300, current: 'long.csv' })
    goOn()
    await test.runner.idle()
    expect(await source(id)).toMatchObject({ status: 'idle', progress: null })
  })
})

describe('a long file', () => {
  it('is stored in batches, and a replacement changes only what differs', async () => {
    let content = texts(1_300)
    const { upload, test, source, address, rows } = await openWith(() => readingsOf(content))
    const id = await upload('long.csv', 'a')
    await test.runner.idle()
    const before = await rows()
    expect(before.map(({ text }) => text)).toEqual(content)
    expect(await address(id)).toMatchObject({ status: 'idle', fragments: 1_300 })
    expect((await source(id)).last_run).toMatchObject({ new: 1, fragments: 1_300 })

    content = [...content.slice(100, 900), 'One in between.', ...content.slice(900, 1_200)]
    await upload('long.csv', 'b', id)
    await test.runner.idle()
    const after = await rows()
    expect(after.map(({ text }) => text)).toEqual(content)
    expect(after.map(({ ordinal }) => ordinal)).toEqual(content.map((_, index) => index))
    const ids = new Map(before.map((row) => [row.text, row.id]))
    expect(after.filter((row) => ids.get(row.text) !== row.id).map(({ text }) => text)).toEqual(['One in between.'])
    expect(await indexedKeys(test.app)).toEqual(after.map(({ key }) => key).sort((a, b) => a - b))
    expect(await address(id)).toMatchObject({ fragments: 1_101 })
    expect((await source(id)).last_run).toMatchObject({ changed: 1, fragments: 1 })

    content = texts(3, 'wick')
    await upload('long.csv', 'c', id)
    await test.runner.idle()
    expect((await rows()).map(({ text }) => text)).toEqual(content)
    expect(await indexedKeys(test.app)).toHaveLength(3)
  })

  it('has a repeated passage as often as it occurs', async () => {
    const content = texts(700).map((text, index) => (index % 300 === 7 ? 'All rights are reserved.' : text))
    const { upload, test, address, rows } = await openWith(() => readingsOf(content))
    const id = await upload('long.csv', 'a')
    await test.runner.idle()
    const before = await rows()
    expect(before.map(({ text }) => text)).toEqual(content)
    content.unshift('A new first line.')
    await upload('long.csv', 'b', id)
    await test.runner.idle()
    const after = await rows()
    expect(after.map(({ text }) => text)).toEqual(content)
    expect(after.slice(1).map((row) => row.id)).toEqual(before.map((row) => row.id))
    expect(await address(id)).toMatchObject({ fragments: 701 })
  })

  it('keeps the earlier text if reading a long file breaks off', async () => {
    let content = texts(700)
    let isBroken = false
    const { upload, test, source, rows } = await openWith(function* () {
      for (const reading of readingsOf(content)) {
        if (reading.kind === 'end' && isBroken) yield { kind: 'refused', reason: 'file-broken' }
        else yield reading
      }
    })
    const id = await upload('long.csv', 'a')
    await test.runner.idle()
    const before = await rows()
    content = [...texts(700, 'cord'), ...content.slice(0, 50)]
    isBroken = true
    await upload('long.csv', 'b', id)
    await test.runner.idle()
    expect(await source(id)).toMatchObject({ status: 'fail', reason: 'file-broken' })
    expect(await rows()).toEqual(before)
    expect(await indexedKeys(test.app)).toHaveLength(700)
    isBroken = false
    await upload('long.csv', 'b', id)
    await test.runner.idle()
    expect((await rows()).map(({ text }) => text)).toEqual(content)
    expect(await source(id)).toMatchObject({ status: 'idle', reason: null })
  })

  it('removes a long file entirely if a person ignores it', async () => {
    const { upload, test, address, rows } = await openWith(() => readingsOf(texts(1_300)))
    const id = await upload('long.csv', 'a')
    await test.runner.idle()
    await test.app.services.addresses.ignore(system, addressRef(crawled, (await address(id)).id))
    expect(await rows()).toEqual([])
    expect(await indexedKeys(test.app)).toEqual([])
  })
})

describe('a run that is paused in the middle of a file', () => {
  /** Waits after 800 of 1,300 fragments until `letGo` is called or its signal aborts. */
  async function openHalfWay() {
    const content = texts(1_300)
    let isHeld = true
    const opened = await openWith(async function* (_file, signal) {
      let input = 0
      for (const reading of readingsOf(content)) {
        yield reading
        if (reading.kind === 'fragments') input += reading.fragments.length
        if (input >= 800 && isHeld) await sleep(60_000, undefined, { signal })
      }
    })
    const id = await opened.upload('long.csv', 'a')
    await until(async () => (await opened.rows()).length >= 700)
    return { ...opened, id, content, letGo: () => (isHeld = false) }
  }

  it('ends soon after cancel, and leaves nothing', async () => {
    const { id, test, source, address, rows } = await openHalfWay()
    await test.app.services.runControl.cancel(...place(id))
    await test.runner.idle()
    expect(await source(id)).toMatchObject({ status: 'idle', progress: null, last_run: { cancelled: true } })
    expect(await address(id)).toMatchObject({ status: 'new', fragments: 0 })
    expect(await rows()).toEqual([])
  })

  it('leaves nothing when paused and then cancelled', async () => {
    const { id, test, source, address, rows } = await openHalfWay()
    await test.app.services.runControl.pause(...place(id))
    await test.runner.idle()
    expect((await rows()).length).toBeGreaterThanOrEqual(700)
    await test.app.services.runControl.cancel(...place(id))
    await test.runner.idle()
    expect(await source(id)).toMatchObject({ status: 'idle', progress: null, last_run: { cancelled: true } })
    expect(await address(id)).toMatchObject({ status: 'new', fragments: 0 })
    expect(await rows()).toEqual([])
    expect(await indexedKeys(test.app)).toEqual([])
  })

  it('continues where it stopped when resumed', async () => {
    const { id, test, source, rows, letGo, content } = await openHalfWay()
    await test.app.services.runControl.pause(...place(id))
    await test.runner.idle()
    expect(await source(id)).toMatchObject({ paused: true })
    const before = await rows()
    expect(before.length).toBeGreaterThanOrEqual(700)
    letGo()
    await test.app.services.runControl.resume(...place(id))
    await test.runner.idle()
    const after = await rows()
    expect(after.map(({ text }) => text)).toEqual(content)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(await source(id)).toMatchObject({ status: 'idle', last_run: { fragments: 1_300, new: 1 } })
  })
})
