import { sql } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { crawledSite } from '../../support/sites/crawled-site'

// Pages extracted by an earlier version are extracted again, even if their site says that they did not change.

const { collection, site, open } = crawledSite()
beforeEach(async () => {
  await open({
    '/': '<html lang="en"><title>Lamps</title><main><h1>Lamps</h1><p>All about lamps.</p><a href="/prices.csv">Prices</a></main></html>',
    '/prices.csv': { headers: { 'content-type': 'text/csv', etag: '"1"' }, body: 'lamp,euros\nStorm 40,12\n' },
  })
})

/** Stores another extractor version for a path; null for a row from before versions. */
async function extractorVersion(path: string, version: string | null): Promise<void> {
  const { db } = collection.test.app
  await db.write((tx) =>
    tx.execute(sql`update addresses set extractor_version = ${version} where url = ${site.origin + path}`),
  )
}

/** Requests for these paths in the next run, and whether they were conditional. */
async function refresh(id: string) {
  const before = site.requests.length
  const { last_run: run } = await collection.refresh(id)
  const asked = site.requests
    .slice(before)
    .filter(({ path }) => path === '/' || path === '/prices.csv')
    .map(({ path, headers }) => `${path} ${headers['if-none-match'] === undefined ? 'in full' : 'if it changed'}`)
  return { asked: [...new Set(asked)].sort(), run }
}

it.each(['document-0', null])('extracts pages of extractor version %s again', async (version) => {
  const id = await collection.add({ type: 'domain', url: site.origin })
  const first = await refresh(id)
  expect(first.asked).toEqual(['/ if it changed', '/prices.csv if it changed'])
  expect(first.run).toMatchObject({ unchanged: 2, fetched: 0 })
  const fragments = async () =>
    (await collection.test.app.db.read.execute(sql`select id from fragments order by key`)).length
  const before = await fragments()
  await extractorVersion('/', version)
  await extractorVersion('/prices.csv', version)
  const again = await refresh(id)
  expect(again.asked).toEqual(['/ in full', '/prices.csv in full'])
  expect(again.run).toMatchObject({ unchanged: 2, fetched: 2, fragments: 0 })
  expect(await fragments()).toBe(before)
  expect((await refresh(id)).asked).toEqual(first.asked)
})

it('stores the language that the current extractor detects for unchanged pages', async () => {
  const text = 'Die Lampe brennt mit einer Füllung so lange, wie es in der Anleitung steht, und nicht länger.'
  site.set('/', `<title>Lampen</title><main><h1>Lampen</h1><p>${text}</p><a href="/prices.csv">Preise</a></main>`)
  const id = await collection.add({ type: 'domain', url: site.origin })
  const { db } = collection.test.app
  const languages = async () => {
    const ofFragments = sql`select fragments.language from fragments join addresses on addresses.id = address_id`
    const where = sql`where url = ${`${site.origin}/`}`
    const rows = await db.read.execute<{ language: string }>(sql`${ofFragments} ${where}`)
    return [(await collection.addresses())['/']?.language, ...new Set(rows.map(({ language }) => language))]
  }
  expect(await languages()).toEqual(['de', 'de'])
  await db.write((tx) => tx.execute(sql`update addresses set language = '', extractor_version = null`))
  await db.write((tx) => tx.execute(sql`update fragments set language = ''`))
  await collection.refresh(id)
  expect(await languages()).toEqual(['de', 'de'])
})
