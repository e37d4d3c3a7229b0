import { beforeEach, describe, expect, it, vi } from 'vitest'
import { engine } from '../../../db/engine'
import { SQLite } from '../../../db/sqlite-driver'
import { system } from '../../../server/actor'
import { addressRef } from '../../support/refs'
import { crawledSite } from '../../support/sites/crawled-site'

const names = ['', 'anise', 'basil', 'chervil', 'dill', 'fennel']
const promise = 'Every order over fifty euros is shipped free of charge within the Union.'
const phone = 'Call us on +31 71 555 0100 from Monday to Friday.'

const page = (name: string, shared = promise) => ({
  headers: { etag: `"${name}-${shared.length}"`, 'content-type': 'text/html' },
  body: `<!doctype html><html lang="en"><head><title>The ${name || 'herb'} page</title></head><body>
<nav>${names.map((to) => `<a href="/${to}">${to}</a>`).join(' ')}</nav>
<main><h1>${name || 'Herbs'}</h1><p>What grows here is called ${name || 'a herb'}, and nothing else is called so.</p>
<h2>Shipping</h2><p>${shared}</p></main>
<footer><p>${phone}</p></footer></body></html>`,
})

const { collection: crawled, site, open } = crawledSite()
beforeEach(async () => {
  await open(Object.fromEntries(names.map((name) => [`/${name}`, page(name)])))
})

/** Texts of the fragments by path. */
async function texts(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [path, { id }] of Object.entries(await crawled.addresses())) {
    const { fragments } = await crawled.test.app.services.addresses.get(system, addressRef(crawled, id), {
      page: 1,
      limit: 100,
    })
    found[path] = fragments.docs.map(({ content }) => content).join('\n')
  }
  return found
}

describe('text that most pages of a source share', () => {
  it('is removed from the pages and stored once, so that it can still be found', async () => {
    await crawled.add({ type: 'domain', url: site.origin })
    const all = await texts()
    for (const name of names.slice(1)) {
      expect(all[`/${name}`]).toContain(`called ${name}`)
      expect(all[`/${name}`]).not.toContain('fifty euros')
      expect(all[`/${name}`]).not.toContain('Call us')
    }
    expect(all['/']).toContain('a herb')
    expect(all['/']?.match(/fifty euros/g)).toHaveLength(1)
    expect(all['/']?.match(/555 0100/g)).toHaveLength(1)
    const found = await crawled.test.app.services.search.collection(system, crawled.orgId, {
      ...{ collectionId: crawled.collectionId, query: 'phone 555 0100', limit: 10 },
    })
    expect(found.fragments.filter(({ content }) => content.includes('555 0100')).map(({ url }) => url)).toEqual([
      `${site.origin}/`,
    ])
  })

  it('has a heading of its own, and ranks below a page with the same text', async () => {
    const about = 'Dill is dried in the dark for three weeks and kept in jars of brown glass.'
    site.set('/dill', page('dill', about))
    const foot = `<footer><p>${about.replace('three', 'four')}</p></footer>`
    for (const name of names) {
      const own = page(name, name === 'dill' ? about : promise)
      site.set(`/${name}`, { ...own, body: own.body.replace(/<footer>.*<\/footer>/, foot) })
    }
    await crawled.add({ type: 'domain', url: site.origin })
    const search = (query: string) =>
      crawled.test.app.services.search.collection(system, crawled.orgId, {
        collectionId: crawled.collectionId,
        query,
        limit: 10,
      })
    const { fragments } = await search('How is dill dried?')
    expect(fragments.slice(0, 2).map(({ url, headings }) => [url, headings])).toEqual([
      [`${site.origin}/dill`, expect.not.arrayContaining(['On several pages'])],
      [`${site.origin}/`, ['On several pages']],
    ])
    expect((await search('several')).fragments).toEqual([])
  })

  it('returns if most pages no longer share it, without requests for those pages', async () => {
    const id = await crawled.add({ type: 'domain', url: site.origin })
    for (const name of names.slice(2)) site.set(`/${name}`, page(name, `The ${name} is shipped on Tuesdays, at cost.`))
    const { last_run: run } = await crawled.refresh(id)
    expect(run).toMatchObject({ unchanged: 2, changed: 4 })
    const all = await texts()
    expect(all['/anise']).toContain('fifty euros')
    expect(all['/dill']).toContain('Tuesdays')
    expect(all['/']).toContain('555 0100')
  })

  it('is unchanged by a refresh that finds nothing new', async () => {
    const id = await crawled.add({ type: 'domain', url: site.origin })
    const before = await texts()
    const { last_run: run } = await crawled.refresh(id)
    expect(run).toMatchObject({ unchanged: 6, changed: 0, fragments: 0 })
    expect(await texts()).toEqual(before)
  })

  it('is not removed twice from a later page', async () => {
    const id = await crawled.add({ type: 'domain', url: site.origin })
    site.set('/garlic', page('garlic'))
    site.set('/sitemap.xml', {
      headers: { 'content-type': 'application/xml' },
      body: `<urlset><url><loc>${site.origin}/garlic</loc></url></urlset>`,
    })
    const rechunk = vi.spyOn(crawled.test.app.engine.extractor, 'rechunk')
    expect((await crawled.refresh(id)).last_run).toMatchObject({ new: 1 })
    expect((await texts())['/garlic']).not.toContain('fifty euros')
    expect(rechunk).not.toHaveBeenCalled()
  })

  it('is stored with the page of the lowest depth that has it, if the front page does not', async () => {
    site.set('/', page('', 'The front page promises nothing at all, and keeps that.'))
    await crawled.add({ type: 'domain', url: site.origin })
    const all = await texts()
    expect(
      Object.values(all)
        .join('\n')
        .match(/fifty euros/g),
    ).toHaveLength(1)
    expect(all['/dill']).toContain('fifty euros')
  })

  it('moves to another page if its page is removed', async () => {
    const id = await crawled.add({ type: 'domain', url: site.origin })
    site.set('/', { status: 410, headers: {}, body: 'gone' })
    site.set('/robots.txt', {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: `Sitemap: ${site.origin}/map.xml`,
    })
    site.set('/map.xml', {
      headers: { 'content-type': 'application/xml' },
      body: `<urlset>${names.map((name) => `<url><loc>${site.origin}/${name}</loc></url>`).join('')}</urlset>`,
    })
    await crawled.refresh(id)
    const all = await texts()
    expect(
      Object.values(all)
        .join('\n')
        .match(/555 0100/g),
    ).toHaveLength(1)
    expect(all['/']).toBe('')
  })

  it('moves to another page at once if a person excludes its page, and returns with it', async () => {
    await crawled.add({ type: 'domain', url: site.origin })
    const before = await texts()
    const { '/': home } = await crawled.addresses()
    const asked = site.requests.length
    await crawled.test.app.services.addresses.ignore(system, addressRef(crawled, home?.id))
    await crawled.test.runner.idle()
    const without = await texts()
    expect(without['/']).toBe('')
    expect(
      Object.values(without)
        .join('\n')
        .match(/555 0100/g),
    ).toHaveLength(1)
    expect(
      Object.values(without)
        .join('\n')
        .match(/fifty euros/g),
    ).toHaveLength(1)
    expect(without['/dill']).toContain('555 0100')
    expect(site.requests).toHaveLength(asked)

    await crawled.test.app.services.addresses.retry(system, addressRef(crawled, home?.id))
    await crawled.test.runner.idle()
    expect(await texts()).toEqual(before)
  })

  it('is computed from the pages that a cancelled run fetched', async () => {
    const others = Array.from({ length: 30 }, (_, index) => `herb-${index}`)
    const links = others.map((to) => `<a href="/${to}">${to}</a>`).join(' ')
    const front = page('')
    site.set('/', { ...front, body: front.body.replace('</main>', `</main><nav>${links}</nav>`) })
    let id = ''
    let cancelled: Promise<void> | undefined
    let asked = 0
    for (const name of others) {
      site.set(`/${name}`, () => {
        if (++asked === 8)
          cancelled = crawled.test.app.services.runControl.cancel(system, {
            organizationId: crawled.orgId,
            collectionId: crawled.collectionId,
            sourceId: id,
          })
        return page(name)
      })
    }
    id = await crawled.add({ type: 'domain', url: site.origin }, false)
    await crawled.test.runner.idle()
    await cancelled
    expect(await crawled.source(id)).toMatchObject({ status: 'idle', last_run: { cancelled: true } })
    const read = Object.values(await crawled.addresses()).filter(({ fragments }) => fragments > 0)
    expect(read.length).toBeGreaterThan(6)
    expect(read.length).toBeLessThan(30)
    const all = Object.values(await texts()).join('\n')
    expect(all.match(/fifty euros/g)).toHaveLength(1)
    expect(all.match(/555 0100/g)).toHaveLength(1)
  })

  it.runIf(engine === 'sqlite')('is not rewritten if nothing changed', async () => {
    const id = await crawled.add({ type: 'domain', url: site.origin })
    const database = new SQLite(crawled.test.app.config.databaseFile)
    database.exec('create table writes (kind text)')
    for (const kind of ['insert', 'update', 'delete']) {
      database.exec(
        `create trigger ${kind}s after ${kind} on site_blocks begin insert into writes values ('${kind}'); end`,
      )
    }
    const writes = () => database.prepare('select kind, count(*) as many from writes group by kind').all()
    await crawled.refresh(id)
    expect(writes()).toEqual([])
    // One block less is shared: the others are left alone.
    for (const name of names.slice(2)) site.set(`/${name}`, page(name, `The ${name} is shipped on Tuesdays, at cost.`))
    await crawled.refresh(id)
    expect(writes()).toEqual([{ kind: 'delete', many: 1 }])
    database.close()
  })
})
