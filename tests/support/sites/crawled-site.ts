import { afterEach, beforeEach } from 'vitest'
import { type CrawledCollection, createCollection } from './crawl'
import { type Site, type SiteAnswer, startSite } from './site'

interface CrawledSite {
  /** The collection of the test that runs; nothing before the first one. */
  collection: CrawledCollection
  /** The site that the test opened last; nothing before it did. */
  site: Site
  /** Starts a site with these pages, tells its origin, and closes it after the test. */
  open(pages: Record<string, SiteAnswer>): Promise<string>
}

/** Gives each test of the file a collection of its own, and a site as soon as it opens one. */
export function crawledSite(): CrawledSite {
  const collection = {} as CrawledCollection
  const site = {} as Site
  const opened: Site[] = []

  beforeEach(async () => {
    Object.assign(collection, await createCollection())
  })
  afterEach(async () => {
    await collection.test.close()
    for (const item of opened.splice(0)) await item.close()
  })

  return {
    collection,
    site,
    async open(pages) {
      opened.push(Object.assign(site, await startSite(pages)))
      return site.origin
    },
  }
}
