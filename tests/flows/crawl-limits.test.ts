import { afterEach, beforeEach, expect, it } from 'vitest'
import { system } from '../../server/actor'
import { type CrawledCollection, createCollection } from '../support/crawl'
import { type Site, type SiteAnswer, startSite } from '../support/site'

// How many addresses a source may have in, and how far away from its start.

let site: Site
let here: CrawledCollection
beforeEach(async () => {
  here = await createCollection()
})
afterEach(async () => {
  await here.test.close()
  await site.close()
})

const page = (text: string, links: string[] = []) =>
  `<html lang="en"><title>${text}</title><main><h1>${text}</h1><p>All about ${text}.</p></main>
   ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</html>`

async function open(pages: Record<string, SiteAnswer>) {
  site = await startSite(pages)
  return site.origin
}

function edit(id: string, options: Parameters<typeof here.test.app.sources.edit>[4]) {
  return here.test.app.sources.edit(system, here.orgId, here.collectionId, id, options)
}

async function pathsIn(): Promise<string[]> {
  const all = Object.entries(await here.addresses())
  return all.flatMap(([path, { fragments }]) => (fragments > 0 ? path : [])).sort()
}

it('options that let hundreds of addresses in let in no more than there is room for', async () => {
  const paths = Array.from({ length: 240 }, (_, number) => `/docs/${number}`)
  const map = `<urlset>${paths.map((path) => `<url><loc>{origin}${path}</loc></url>`).join('')}</urlset>`
  const pages = Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)]))
  const url = await open({ '/map.xml': map, ...pages })
  const id = await here.add({ type: 'sitemap', url: `${url}/map.xml`, exclude: ['/docs'], max_pages: 20 })
  expect(await pathsIn()).toEqual([])
  await edit(id, { exclude: [] })
  await here.refresh(id)
  expect(await pathsIn()).toHaveLength(20)
  expect(await here.source(id)).toMatchObject({ status: 'url-limit', last_run: { new: 20, ignored: 220 } })
}, 30_000)
