import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { initialPlans } from '../../../contract/organizations/plan'
import { system } from '../../../server/actor'
import { crawledSite } from '../../support/sites/crawled-site'
import { subjectPage as page } from '../../support/sites/subject-page'

// Limits of the number of addresses of a source and of their depth.

const { collection, site, open } = crawledSite()

function edit(id: string, options: Parameters<typeof collection.test.app.services.sources.edit>[2]) {
  return collection.test.app.services.sources.edit(
    system,
    { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
    options,
  )
}

async function pathsIn(): Promise<string[]> {
  const all = Object.entries(await collection.addresses())
  return all.flatMap(([path, { fragments }]) => (fragments > 0 ? path : [])).sort()
}

it('admits no more addresses than the limit after the options change', async () => {
  const paths = Array.from({ length: 240 }, (_, number) => `/docs/${number}`)
  const map = `<urlset>${paths.map((path) => `<url><loc>{origin}${path}</loc></url>`).join('')}</urlset>`
  const pages = Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)]))
  const url = await open({ '/map.xml': map, ...pages })
  const id = await collection.add({ type: 'sitemap', url: `${url}/map.xml`, exclude: ['/docs'], max_pages: 20 })
  expect(await pathsIn()).toEqual([])
  await edit(id, { exclude: [] })
  await collection.refresh(id)
  expect(await pathsIn()).toHaveLength(20)
  expect(await collection.source(id)).toMatchObject({ status: 'url-limit', last_run: { new: 20, ignored: 220 } })
}, 30_000)

it('counts failed addresses toward the limit only if they still have text', async () => {
  const url = await open({
    '/': page('Front', ['/a', '/b', '/c', '/d']),
    '/a': { status: 404 },
    '/b': { status: 403 },
    '/c': page('Gamma'),
    '/d': page('Delta'),
  })
  const urls = async () => (await collection.test.app.services.organizations.usage(system, collection.orgId)).urls
  const id = await collection.add({ type: 'domain', url })
  expect(await pathsIn()).toEqual(['/', '/c', '/d'])
  expect(await urls()).toBe(3)
  site.set('/d', { status: 403 })
  await collection.refresh(id)
  expect((await collection.addresses())['/d']).toMatchObject({ status: 'fail', fragments: 1 })
  expect(await urls()).toBe(3)

  // Recovered pages count toward the limit as well; skipped ones come first.
  site.set('/a', page('Alpha'))
  site.set('/b', page('Beta'))
  await edit(id, { max_pages: 3 })
  await collection.refresh(id)
  expect(await pathsIn()).toEqual(['/', '/c', '/d'])
  expect(await collection.addresses()).toMatchObject({
    '/a': { reason: 'not-found' },
    '/b': { reason: 'access-denied' },
  })
  site.set('/d', { status: 410 })
  await collection.refresh(id)
  await collection.refresh(id)
  expect(await pathsIn()).toHaveLength(3)
}, 30_000)

it('reports that the only address of a source is over the limit', async () => {
  const url = await open({ '/lamp': { status: 404 } })
  const id = await collection.add({ type: 'url', url: `${url}/lamp` })
  const { db } = collection.test.app
  await db.write((tx) => tx.execute(sql.raw(`update organizations set plan = 'free'`)))
  const otherText = await collection.add({ type: 'url', url: `${url}/other` })
  const fill = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${initialPlans.free.urls})
    insert into addresses (id, organization_id, collection_id, source_id, url, status, updated_at, created_at)
    select i, '${collection.orgId}', '${collection.collectionId}', '${otherText}', 'http://x.example/' || i, 'new', 0, 0 from n`
  await db.write((tx) => tx.execute(sql.raw(fill)))
  site.set('/lamp', page('Lamp'))
  await collection.refresh(id)
  expect((await collection.addresses())['/lamp']).toMatchObject({ status: 'limit', reason: 'over-limit', fragments: 0 })
  expect(await collection.source(id)).toMatchObject({ status: 'url-limit', reason: 'over-limit' })
})

// contract URLs: Addresses over the limit are ignored
it('ignores the addresses of sources that are added when the plan has no room, until there is some', async () => {
  const url = await open({
    '/': page('Front', ['/a']),
    '/a': page('Alpha'),
    '/lamp': page('Lamp'),
    '/old': page('Old'),
    '/map.xml': '<urlset><url><loc>{origin}/a</loc></url><url><loc>{origin}/lamp</loc></url></urlset>',
  })
  const { services } = collection.test.app
  const old = await collection.add({ type: 'url', url: `${url}/old` })
  await services.plans.set(system, 'one', { urls: 1 })
  await services.plans.assign(system, collection.orgId, 'one')
  const single = await collection.add({ type: 'url', url: `${url}/lamp` })
  const site = await collection.add({ type: 'domain', url })
  const map = await collection.add({ type: 'sitemap', url: `${url}/map.xml` })
  const file = await services.fileSources.create(
    ...([system, { organizationId: collection.orgId, collectionId: collection.collectionId }, { name: '' }] as const),
    await services.files.receive('prices.csv', Readable.from([Buffer.from('lamp,price\nbright,5\n')]), () => {}),
  )
  await collection.test.runner.idle()
  for (const id of [single, site, map, file.id])
    expect(await collection.source(id)).toMatchObject({
      status: 'url-limit',
      reason: 'over-limit',
      last_run: { new: 0 },
    })
  expect((await services.organizations.usage(system, collection.orgId)).urls).toBe(1)

  const place = { organizationId: collection.orgId, collectionId: collection.collectionId }
  await services.sources.remove(system, { ...place, sourceId: old })
  await collection.refresh(single)
  expect(await collection.source(single)).toMatchObject({ status: 'idle', reason: null })
  expect((await services.organizations.usage(system, collection.orgId)).urls).toBe(1)
}, 30_000)

it('lowers the depth of an address and its links when a shorter path is found', async () => {
  const url = await open({
    '/': page('Front', ['/a', '/z']),
    '/z': page('Zeta'),
    '/a': page('Alpha', ['/b']),
    '/b': page('Beta', ['/c']),
    '/c': page('Gamma', ['/d']),
    '/d': page('Delta', ['/e']),
    '/e': page('Epsilon'),
  })
  const id = await collection.add({ type: 'domain', url, max_depth: 2 })
  expect(await pathsIn()).toEqual(['/', '/a', '/b', '/z'])
  expect((await collection.addresses())['/c']).toMatchObject({ reason: 'over-depth', depth: 3 })

  site.set('/z', page('Zeta with more', ['/b', '/c']))
  await collection.refresh(id)
  expect((await collection.addresses())['/c']).toMatchObject({ status: 'idle', reason: null, depth: 2, fragments: 1 })
  expect((await collection.addresses())['/c']?.discovered_from).toBe(`${url}/z`)
  expect((await collection.addresses())['/d']).toMatchObject({ reason: 'over-depth', depth: 3 })

  // Pages that did not change themselves lead on from where they are now.
  site.set('/', page('Front with more', ['/a', '/z', '/c']))
  await collection.refresh(id)
  await collection.refresh(id)
  const after = await collection.addresses()
  expect(Object.fromEntries(Object.entries(after).map(([path, { depth }]) => [path, depth]))).toMatchObject({
    '/b': 2,
    '/c': 1,
    '/d': 2,
    '/e': 3,
  })
  expect(await pathsIn()).toEqual(['/', '/a', '/b', '/c', '/d', '/z'])
}, 30_000)

it('removes the last addresses when the maximum is lowered, as the preview says', async () => {
  const chain = Array.from({ length: 10 }, (_, number) => [
    `/${number || ''}`,
    page(`Page ${number}`, [`/${number + 1}`]),
  ])
  const url = await open(Object.fromEntries(chain))
  // A duplicate of a page beyond the limit does not take ownership of its text.
  site.set('/twin', page('Page 5', ['/6']))
  site.set('/4', page('Page 4', ['/5', '/twin']))
  const id = await collection.add({ type: 'domain', url })
  expect(await pathsIn()).toHaveLength(10)
  const preview = await collection.test.app.services.sources.previewEdit(
    ...([system, { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id }] as const),
    { max_pages: 3 },
    new AbortController().signal,
  )
  const wouldBeIn: string[] = []
  for await (const event of preview) {
    if (event.kind === 'address' && event.reason === null) wouldBeIn.push(new URL(event.address).pathname)
  }
  await edit(id, { max_pages: 3 })
  const { last_run: run, status } = await collection.refresh(id)
  expect(await pathsIn()).toEqual(['/', '/1', '/2'])
  expect(wouldBeIn.sort()).toEqual(['/', '/1', '/2'])
  expect((await collection.addresses())['/9']).toMatchObject({ status: 'limit', reason: 'over-limit', fragments: 0 })
  expect({ status, withdrawn: run?.withdrawn }).toEqual({ status: 'url-limit', withdrawn: 7 })

  await edit(id, { max_pages: null })
  await collection.refresh(id)
  expect(await pathsIn()).toHaveLength(10)
}, 30_000)

it('removes the last pages of a sitemap when the maximum is lowered', async () => {
  const paths = Array.from({ length: 12 }, (_, number) => `/${number}`)
  const map = `<urlset>${paths.map((path) => `<url><loc>{origin}${path}</loc></url>`).join('')}</urlset>`
  const url = await open({ '/map.xml': map, ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])) })
  const id = await collection.add({ type: 'sitemap', url: `${url}/map.xml` })
  await edit(id, { max_pages: 4 })
  await collection.refresh(id)
  expect(await pathsIn()).toEqual(['/0', '/1', '/2', '/3'])
  await edit(id, { max_pages: 6 })
  await collection.refresh(id)
  expect(await pathsIn()).toEqual(['/0', '/1', '/2', '/3', '/4', '/5'])
}, 30_000)
