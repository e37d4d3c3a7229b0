import { afterEach, expect, it } from 'vitest'
import { createCollection } from '../../support/sites/crawl'
import { linkedPages } from '../../support/sites/linked-pages'
import { type Site, startSite } from '../../support/sites/site'

const sites: Site[] = []
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close()
})

async function open(pages: number, delayMs: number, host: string): Promise<Site> {
  const site = await startSite(
    linkedPages(pages, () => {}, delayMs),
    { host },
  )
  sites.push(site)
  return site
}

it('a small crawl waits neither for a large one nor for many of one organization', async () => {
  const large = await createCollection({ CRAWL_CONCURRENCY: '1', CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' })
  const { test } = large
  try {
    const small = await createCollection({}, 'Sorrel', test)
    const busy = [await open(400, 50, '127.0.0.1'), await open(400, 50, '127.0.0.2')]
    const ids: string[] = []
    for (const { origin } of busy) ids.push(await large.add({ type: 'domain', url: origin }, false))
    await expect.poll(async () => (await large.source(ids[0] ?? '')).status).toBe('crawling')

    const quick = await open(5, 0, '127.0.0.3')
    const id = await small.add({ type: 'domain', url: quick.origin }, false)
    await expect.poll(async () => (await small.source(id)).status, { interval: 50 }).toBe('idle')
    // It waits for the end of a time slice, not of a crawl.
    expect((await small.source(id)).last_run).toMatchObject({ new: 5 })
    for (const text of ids) expect((await large.source(text)).last_run?.finished_at).toBeNull()
  } finally {
    await test.close()
  }
}, 60_000)

it('a small crawl starts while discoveries of another organization use every slot', async () => {
  const large = await createCollection({ CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' })
  const { test } = large
  try {
    const small = await createCollection({}, 'Sorrel', test)
    const hanging: Site[] = []
    // One more than there are places: the last of them must not take the one that is kept for others.
    for (let number = 0; number <= test.app.config.crawl.concurrency; number++) {
      const site = await startSite({ '/sitemap.xml': { delayMs: 'never' } }, { host: `127.0.1.${number + 1}` })
      sites.push(site)
      hanging.push(site)
      await large.add({ type: 'sitemap', url: `${site.origin}/sitemap.xml` }, false)
    }
    const asked = () => hanging.filter((site) => site.visited().length > 0).length
    await expect.poll(asked).toBe(test.app.config.crawl.concurrency)

    const quick = await open(5, 0, '127.0.0.3')
    const id = await small.add({ type: 'domain', url: quick.origin }, false)
    await expect.poll(async () => (await small.source(id)).status, { interval: 50 }).toBe('idle')
    expect((await small.source(id)).last_run).toMatchObject({ new: 5 })
    expect(asked()).toBe(test.app.config.crawl.concurrency)
  } finally {
    await test.close()
  }
}, 60_000)
