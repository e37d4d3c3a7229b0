import { describe, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { addressRef } from '../../support/refs'
import { crawledSite } from '../../support/sites/crawled-site'

const { collection: crawled, site, open } = crawledSite()

const names = ['', 'oil', 'glass']
const footer =
  '<footer><h3>Visit us</h3><p>Market 1, 2312 Leiden</p><ul><li><a href="tel:+31715550100">+31 71 555 0100</a></li></ul></footer>'
const page = (name: string, around = footer) => ({
  headers: { etag: `"${name}-${around.length}"`, 'content-type': 'text/html' },
  body: `<!doctype html><html lang="en"><head><title>About ${name || 'lamps'}</title><meta property="og:site_name" content="The lamp shop"></head><body>
<nav>${names.map((to) => `<a href="/${to}">${to}</a>`).join(' ')}</nav>
<main><h1>About ${name || 'lamps'}</h1><p>What is said here is about ${name || 'lamps'} alone, and nothing else is said of it.</p></main>${around}</body></html>`,
})
const pages = (around?: string) => Object.fromEntries(names.map((name) => [`/${name}`, page(name, around)]))

async function search(query: string) {
  const limits = { collectionId: crawled.collectionId, limit: 10 }
  return (await crawled.test.app.services.search.collection(system, crawled.orgId, { ...limits, query })).fragments
}

/** All fragments of the source that contain a text, as the pages that have them. */
async function pagesWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const [path, { id }] of Object.entries(await crawled.addresses())) {
    const { fragments } = await crawled.test.app.services.addresses.get(system, addressRef(crawled, id), {
      page: 1,
      limit: 100,
    })
    for (const { content } of fragments.docs) if (content.includes(text)) found.push(path)
  }
  return found
}

describe('the contacts of a site', () => {
  it('are stored once, with the entry page, and found by what they are', async () => {
    await open(pages())
    await crawled.add({ type: 'domain', url: site.origin })
    expect(await pagesWith('555 0100')).toEqual(['/'])
    const [first] = await search('telephone number of the shop')
    expect(first).toMatchObject({ url: `${site.origin}/`, title: 'The lamp shop' })
    expect(first?.headings[0]).toBe('Contact: Telephone, Address')
    expect(first?.content).toContain('+31 71 555 0100')
  })

  it('move to another page when theirs is gone, and follow a change', async () => {
    await open(pages())
    const id = await crawled.add({ type: 'domain', url: site.origin })
    site.set('/', { status: 410, headers: {}, body: 'gone' })
    const paths = names.slice(1).map((name) => `<url><loc>${site.origin}/${name}</loc></url>`)
    site.set('/robots.txt', {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: `Sitemap: ${site.origin}/map.xml`,
    })
    site.set('/map.xml', { headers: { 'content-type': 'application/xml' }, body: `<urlset>${paths.join('')}</urlset>` })
    await crawled.refresh(id)
    expect(await pagesWith('555 0100')).toEqual(['/oil'])
    expect((await search('telephone number of the shop'))[0]?.content).toContain('+31 71 555 0100')
    const moved = footer.replaceAll('+31 71 555 0100', '+31 182 555 0199').replace('+31715550100', '+311825550199')
    for (const name of names.slice(1)) site.set(`/${name}`, page(name, moved))
    await crawled.refresh(id)
    expect(await pagesWith('555 0100')).toEqual([])
    expect(await pagesWith('555 0199')).toEqual(['/oil'])
  })

  it('keeps contacts of one page with it, under its title', async () => {
    const branch = '<aside><p>Branch in Gouda, telephone +31 182 555 010</p></aside>'
    await open({ ...pages(), '/glass': page('glass', `${branch}${footer}`) })
    await crawled.add({ type: 'domain', url: site.origin })
    expect(await pagesWith('555 0100')).toEqual(['/'])
    expect(await pagesWith('Gouda')).toEqual(['/glass'])
    expect((await search('telephone in Gouda'))[0]).toMatchObject({ title: 'About glass', url: `${site.origin}/glass` })
  })

  it('are stored with a source of one page, and shown in its preview', async () => {
    await open(pages())
    await crawled.add({ type: 'url', url: `${site.origin}/oil` })
    expect(await pagesWith('555 0100')).toEqual(['/oil'])
    const preview = await crawled.test.app.services.pagePreviews.preview(
      system,
      crawled.orgId,
      crawled.collectionId,
      { page: `${site.origin}/oil` },
      new AbortController().signal,
    )
    expect(preview.before.fragments.map(({ text }) => text).join('\n')).toContain('555 0100')
  })
})
