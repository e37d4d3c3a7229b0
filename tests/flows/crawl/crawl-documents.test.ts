import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { maxFileBytes } from '../../../contract/sources/file'
import { system } from '../../../server/actor'
import { maxFragmentsPerTransaction } from '../../../server/services/fragments/delete-fragments'
import { crawledSite } from '../../support/sites/crawled-site'
import type { SiteAnswer } from '../../support/sites/site'
import { until } from '../../support/until'

// A crawl reads documents as uploads and requests them conditionally, as pages.

const { collection: crawled, site, open } = crawledSite()

const csv = (body: string): SiteAnswer => ({ headers: { 'content-type': 'text/csv' }, body })
const page = (links: string[]) =>
  `<html lang="en"><title>Lamps</title><main><h1>Lamps</h1><p>All about lamps and their prices.</p>
   ${links.map((link) => `<p>See <a href="${link}">this document</a> for more of it.</p>`).join('')}</main></html>`

/** Rows of a table with more fragments than one batch. */
const longRows = 15_000

const onTheWay = () => readdir(join(crawled.test.dataDir, 'files', 'incoming')).catch(() => [])
const asked = (path: string) => site.visited().filter((visited) => visited === path).length

it('follows links to documents, and finds passages with their locations', async () => {
  const links = ['/prices.csv', '/broken.pdf', '/notes.zip']
  const answers: Record<string, SiteAnswer> = {
    '/': page(links),
    '/prices.csv': csv('lamp,euros\nStorm 40,12\nDesk 7,31\n'),
    '/broken.pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7\nnothing of the kind' },
  }
  await open(answers)
  const id = await crawled.add({ type: 'domain', url: site.origin })
  const first = await crawled.addresses()
  expect(first['/prices.csv']).toMatchObject({
    ...{ status: 'idle', reason: null, meta_title: 'prices.csv', content_type: 'text/csv', http_status: 200 },
    ...{ depth: 1, fragments: expect.any(Number) },
  })
  expect(first['/broken.pdf']).toMatchObject({ status: 'fail', reason: expect.stringMatching(/^file-/), fragments: 0 })
  expect(first['/notes.zip']).toBeUndefined()
  const query = { collectionId: crawled.collectionId, query: 'storm 40 euros', limit: 3 }
  const found = await crawled.test.app.services.search.collection(system, crawled.orgId, query)
  expect(found.fragments[0]).toMatchObject({
    url: `${site.origin}/prices.csv`,
    link: `${site.origin}/prices.csv#row=2`,
  })
  expect(await onTheWay()).toEqual([])
  expect(asked('/prices.csv')).toBe(2)

  // Nothing changed: one conditional request, and nothing is read.
  const again = await crawled.refresh(id)
  expect(asked('/prices.csv')).toBe(3)
  expect(again.last_run).toMatchObject({ unchanged: 2, fetched: 0, fragments: 0 })

  site.set('/prices.csv', csv('lamp,euros\nStorm 40,14\nDesk 7,31\n'))
  const changed = await crawled.refresh(id)
  expect(changed.last_run).toMatchObject({ changed: 1 })
  const after = await crawled.test.app.services.search.collection(system, crawled.orgId, query)
  expect(after.fragments[0]?.content).toContain('14')
  expect(await onTheWay()).toEqual([])
}, 60_000)

it.each([
  ['short', 'lamp,euros\nStorm 40,12\n'],
  ['long', `lamp,euros\n${Array.from({ length: longRows }, (_, index) => `Storm ${index},${index}\n`).join('')}`],
])(
  'deletes the fragments of a page that became a %s document',
  async (_length, body) => {
    await open({ '/': page(['/prices']), '/prices': page([]) })
    const id = await crawled.add({ type: 'domain', url: site.origin })
    const cutFrom = async () => {
      const rows = await crawled.test.app.db.read.execute<{ url: string }>(
        sql`select url from address_blocks join addresses on addresses.id = address_blocks.address_id order by url`,
      )
      return rows.map(({ url }) => new URL(url).pathname)
    }
    expect(await cutFrom()).toEqual(['/', '/prices'])
    site.set('/prices', csv(body))
    await crawled.refresh(id)
    expect((await crawled.addresses())['/prices']).toMatchObject({ status: 'idle', content_type: 'text/csv' })
    expect(await cutFrom()).toEqual(['/'])
  },
  60_000,
)

it('retries a document that could not be written to disk, without failing its page', async () => {
  await open({ '/': page(['/prices.csv']), '/prices.csv': csv('lamp,euros\nStorm 40,12\n') })
  const { open: openDownload } = crawled.test.app.downloads
  let failures = 0
  crawled.test.app.downloads.open = async () => {
    const download = await openDownload()
    if (failures++ > 0) return download
    const end = async () => {
      throw Object.assign(new Error('No space is left.'), { code: 'ENOSPC', syscall: 'write' })
    }
    return { ...download, end }
  }
  await crawled.add({ type: 'domain', url: site.origin }, false)
  await until(async () => {
    await crawled.test.runner.idle()
    return (await crawled.addresses())['/prices.csv']?.status === 'idle'
  })
  expect((await crawled.addresses())['/prices.csv']).toMatchObject({ status: 'idle', reason: null, failures: 0 })
  expect(failures).toBe(2)
  expect(await onTheWay()).toEqual([])
}, 60_000)

it('leaves no file on disk when the server stops after a download', async () => {
  await open({ '/': page(['/prices.csv']), '/prices.csv': csv('lamp,euros\nStorm 40,12\n') })
  const { open: openDownload } = crawled.test.app.downloads
  const stopped = new Promise<void>((resolve, reject) => {
    crawled.test.app.downloads.open = async () => {
      const download = await openDownload()
      const end = async () => {
        const bytes = await download.end()
        crawled.test.runner.stop().then(resolve, reject)
        return bytes
      }
      return { ...download, end }
    }
  })
  await crawled.add({ type: 'domain', url: site.origin }, false)
  await stopped
  expect(await onTheWay()).toEqual([])
  expect((await crawled.addresses())['/prices.csv']).toMatchObject({ reason: null, failures: 0, crawled_at: null })
}, 60_000)

it('indexes a document that a person adds by its address, whatever its name', async () => {
  await open({ '/download': csv('lamp,euros\nStorm 40,12\n') })
  const id = await crawled.add({ type: 'url', url: `${site.origin}/download?id=7` })
  expect(await crawled.source(id)).toMatchObject({ status: 'idle', reason: null })
  expect(Object.values(await crawled.addresses())).toMatchObject([{ status: 'idle', meta_title: 'download' }])
})

it.each([
  ['short', 2],
  ['long', longRows],
])(
  'indexes equal documents once, also %s ones, under the first address, in any order of fetching',
  async (_length, rows) => {
    const body = csv(`lamp,euros\n${Array.from({ length: rows }, (_, index) => `Storm ${index},${index}\n`).join('')}`)
    await open({ '/': page(['/prices-of-lamps.csv', '/b.csv', '/a.csv']) })
    for (const path of ['/prices-of-lamps.csv', '/b.csv', '/a.csv']) site.set(path, body)
    const id = await crawled.add({ type: 'domain', url: site.origin })
    const stored = async () => {
      const rows = await crawled.test.app.db.read.execute<{ url: string; count: number }>(
        sql`select url, count(*) as count from fragments join addresses on addresses.id = fragments.address_id group by url`,
      )
      return Object.fromEntries(rows.map(({ url, count }) => [new URL(url).pathname, Number(count)]))
    }
    const told = async () => {
      const { '/a.csv': a, '/b.csv': b, '/prices-of-lamps.csv': long } = await crawled.addresses()
      return [a?.reason, b?.reason, long?.reason, b?.canonical_url, long?.canonical_url]
    }
    const first = await stored()
    const { '/a.csv': a } = await crawled.addresses()
    expect(await told()).toEqual([null, 'duplicate', 'duplicate', `${site.origin}/a.csv`, `${site.origin}/a.csv`])
    expect(first).toEqual({ '/': 1, '/a.csv': a?.fragments })
    expect(first['/a.csv']).toBeGreaterThan(rows === longRows ? maxFragmentsPerTransaction : 0)

    // When its owner is removed, the next one takes ownership in the same run.
    site.set('/a.csv', { status: 410 })
    await crawled.refresh(id)
    expect(await told()).toEqual(['gone', null, 'duplicate', null, `${site.origin}/b.csv`])
    expect(await stored()).toEqual({ '/': 1, '/b.csv': first['/a.csv'] })
    site.set('/a.csv', body)
    await crawled.refresh(id)
    expect(await told()).toEqual([null, 'duplicate', 'duplicate', `${site.origin}/a.csv`, `${site.origin}/a.csv`])
    expect(await stored()).toEqual(first)
  },
  120_000,
)

it('reads a long text as an upload, with or without a file type in its address', async () => {
  const line = 'The storm lamp burns for forty hours with one filling of oil.\n'
  const body = `${line.repeat(Math.ceil((11 * 1024 * 1024) / line.length))}\nThe last lamp hums.\n`
  const plain = { headers: { 'content-type': 'text/plain; charset=utf-8', etag: '"1"' }, body }
  await open({
    '/': page(['/notes.txt', '/notes']),
    '/notes.txt': plain,
    '/notes': { ...plain, body: 'The first lamp flickers.' },
  })
  await crawled.add({ type: 'domain', url: site.origin })
  const { '/notes.txt': text, '/notes': second } = await crawled.addresses()
  expect(text).toMatchObject({ status: 'idle', reason: null, bytes: body.length, meta_title: 'notes.txt' })
  expect(second).toMatchObject({ status: 'idle', reason: null, fragments: 1 })
  const query = { collectionId: crawled.collectionId, query: 'last lamp hums', limit: 3 }
  const found = await crawled.test.app.services.search.collection(system, crawled.orgId, query)
  expect(found.fragments[0]?.content).toContain('The last lamp hums.')
  expect(await onTheWay()).toEqual([])
}, 60_000)

it('limits a document to the size of an upload', async () => {
  const body = Buffer.alloc(maxFileBytes + 1, 'lamp,9\n')
  await open({ '/large.csv': { headers: { 'content-type': 'text/csv', etag: '"1"' }, body } })
  await crawled.add({ type: 'url', url: `${site.origin}/large.csv` })
  expect((await crawled.addresses())['/large.csv']).toMatchObject({ status: 'fail', reason: 'file-too-large' })
  expect(await onTheWay()).toEqual([])
})
