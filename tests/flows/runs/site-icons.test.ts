import { eq } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { collections, siteIcons } from '../../../db/schema/collections'
import { system } from '../../../server/actor'
import { pngPicture, svgPicture } from '../../support/files/pictures'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { type Site, type SiteAnswer, startSite } from '../../support/sites/site'

let site: Site
let world: CrawledCollection
afterEach(async () => {
  await world.test.close()
  await site.close()
})

const lamp = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>'
const pageOf = (head = '') =>
  `<head><title>Lamps</title>${head}</head><main><h1>Lamps</h1><p>All about lamps.</p></main>`

async function crawl(pages: Record<string, SiteAnswer>) {
  site = await startSite(pages)
  world = await createCollection()
  const sourceId = await world.add({ type: 'domain', url: site.origin })
  const host = new URL(site.origin).host
  const icon = () => world.test.app.services.siteIcons.ofCollection(world.collectionId, host)
  const asked = (path: string) => site.requests.filter((request) => request.path === path).length
  return { sourceId, host, icon, asked }
}

it.each<[string, SiteAnswer, string]>([
  ['PNG', { body: pngPicture }, 'image/png'],
  ['SVG', { body: lamp }, 'image/svg+xml'],
  ['ICO', { body: Buffer.from([0, 0, 1, 0, 1, 0]) }, 'image/x-icon'],
  ['GIF', { body: Buffer.from('GIF89a....') }, 'image/gif'],
])('the icon of a site is stored as %s, whatever it is sent as', async (_type, answer, mediaType) => {
  const { icon } = await crawl({ '/': pageOf('<link rel="icon" href="/i">'), '/i': answer })
  expect(await icon()).toMatchObject({ mediaType })
  expect(await world.test.app.services.siteIcons.ofCollection(world.collectionId)).toMatchObject({ mediaType })
})

it.each<[string, SiteAnswer]>([
  ['an SVG with a script', { body: svgPicture }],
  ['a page', pageOf()],
  ['a large picture', { body: Buffer.concat([pngPicture, Buffer.alloc(70_000)]) }],
  ['missing', { status: 404, body: pngPicture }],
])('an icon is not stored if it is %s, and the page is', async (_what, answer) => {
  const { icon, asked, sourceId } = await crawl({ '/': pageOf(), '/favicon.ico': answer })
  expect(asked('/favicon.ico')).toBe(1)
  expect(await icon()).toBeNull()
  expect(await world.source(sourceId)).toMatchObject({ status: 'idle', addresses: 1 })
})

it('an icon that robots.txt blocks is not requested', async () => {
  const { icon, asked } = await crawl({
    '/': pageOf('<link rel="icon" href="/private/i">'),
    '/private/i': { body: pngPicture },
    '/robots.txt': 'User-agent: *\nDisallow: /private/',
  })
  expect(asked('/private/i')).toBe(0)
  expect(await icon()).toBeNull()
})

it('an icon is requested again after a month, and stays when it is gone then', async () => {
  const icons = { '/': () => pageOf(`<link rel="icon" href="/i"><meta name="x" content="${Math.random()}">`) }
  const { sourceId, host, icon, asked } = await crawl({ ...icons, '/i': { body: pngPicture } })
  await world.refresh(sourceId)
  expect(asked('/i')).toBe(1)
  const { db } = world.test.app
  await db.write((tx) =>
    tx
      .update(siteIcons)
      .set({ checkedAt: new Date(Date.now() - 31 * 86_400_000) })
      .where(eq(siteIcons.host, host)),
  )
  site.set('/i', null)
  await world.refresh(sourceId)
  expect(asked('/i')).toBe(2)
  expect(await icon()).toMatchObject({ mediaType: 'image/png' })
})

it('a collection of the first step gets the name of its site, unless a person has named it', async () => {
  const named = pageOf('<meta property="og:site_name" content="Harbour Lamps">')
  site = await startSite({ '/': named })
  const { host } = new URL(site.origin)
  world = await createCollection()
  const { app, runner } = world.test
  const nameOf = async (id: string) => (await app.services.collections.get(system, world.orgId, id)).name
  const added = await app.services.firstSteps.addSite(system, world.orgId, site.origin)
  expect(await nameOf(added)).toBe(host)
  await world.add({ type: 'domain', url: site.origin })
  await runner.idle()
  expect(await nameOf(added)).toBe('Harbour Lamps')
  expect(await nameOf(world.collectionId)).toBe('Pages')
  // Programs find their collections by the names that they gave.
  const place = { organizationId: world.orgId, collectionId: '' }
  for (const isEdited of [false, true]) {
    const input = { name: host, description: '' }
    const own = isEdited
      ? await app.services.firstSteps.addSite(system, world.orgId, site.origin)
      : (await app.services.collections.create(system, world.orgId, input)).id
    if (isEdited) await app.services.collections.update(system, world.orgId, own, input)
    else
      await app.services.sources.create(
        system,
        { ...place, collectionId: own },
        { type: 'domain', name: '', url: site.origin },
      )
    await runner.idle()
    expect(await nameOf(own)).toBe(host)
  }
})

it('the icons go with their collection', async () => {
  await crawl({ '/': pageOf(), '/favicon.ico': { body: pngPicture } })
  const { app, runner } = world.test
  expect(await app.db.read.$count(siteIcons)).toBe(1)
  await app.services.collections.remove(system, world.orgId, world.collectionId)
  await runner.idle()
  expect(await app.db.read.$count(collections)).toBe(0)
  expect(await app.db.read.$count(siteIcons)).toBe(0)
})
