import { expect, it } from 'vitest'
import { system } from '../../../../server/actor'
import { crawledSite } from '../../../support/sites/crawled-site'
import type { SiteAnswer, SiteRequest } from '../../../support/sites/site'

const { collection, site, open } = crawledSite()

const page = (title: string, links: string[] = []) =>
  `<title>${title}</title><main><h1>${title}</h1><p>All about ${title}, in words of its own.</p>
   ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</main>`

const hasCookie = ({ headers }: SiteRequest) => /(?:^|; )seen=yes(?:;|$)/.test(headers.cookie ?? '')
const setCookie = { 'set-cookie': 'seen=yes; Path=/; HttpOnly' }

/** Pages that redirect until the cookie comes back: to themselves, or by way of a page that sets it. */
function gated(gate: 'itself' | 'a gate'): Record<string, SiteAnswer> {
  const behind =
    (path: string, body: string): SiteAnswer =>
    (request) => {
      if (hasCookie(request)) return body
      const location = gate === 'itself' ? path : `/enter?to=${path}`
      return { status: 302, headers: { location, ...(gate === 'itself' ? setCookie : {}) } }
    }
  return {
    '/': behind('/', page('Lamps', ['/wicks', '/oil'])),
    '/wicks': behind('/wicks', page('Wicks')),
    '/oil': behind('/oil', page('Oil')),
    '/enter': ({ path }) => ({ status: 303, headers: { location: path.split('to=')[1] ?? '/', ...setCookie } }),
  }
}

it.each(['itself', 'a gate'] as const)('a gate that sets a cookie lets the crawl in: %s', async (gate) => {
  await open(gated(gate))
  const id = await collection.add({ type: 'domain', url: site.origin })
  const read = { status: 'idle', reason: null, fragments: 1 }
  expect(await collection.addresses()).toMatchObject({ '/': read, '/wicks': read, '/oil': read })
  const { length } = site.requests
  await collection.refresh(id)
  // The cookies of a run end with it.
  expect(site.requests.slice(length).some((request) => !hasCookie(request))).toBe(true)
})

it('a preview keeps cookies, too', async () => {
  await open(gated('itself'))
  const results: Record<string, string | null> = {}
  const input = { type: 'domain' as const, name: '', url: site.origin }
  const { signal } = new AbortController()
  for await (const event of await collection.test.app.services.sources.preview(
    system,
    { organizationId: collection.orgId, collectionId: null },
    input,
    signal,
  )) {
    if (event.kind === 'address') results[new URL(event.address).pathname] = event.reason
  }
  expect(results).toEqual({ '/': null, '/wicks': null, '/oil': null })
})

it('a page that sets another cookie each time is given up', async () => {
  let number = 0
  await open({
    '/': () => ({ status: 302, headers: { location: '/', 'set-cookie': `visit=${number++}` } }),
  })
  const id = await collection.add({ type: 'domain', url: site.origin })
  expect(await collection.source(id)).toMatchObject({ status: 'fail', reason: 'too-many-redirects' })
  expect(number).toBeLessThan(20)
})

it('sends cookies beside the header of the source', async () => {
  await open({
    '/': ({ headers }) =>
      headers.cookie === 'key=1; seen=yes' ? page('Lamps') : { status: 302, headers: { location: '/', ...setCookie } },
  })
  await collection.add({ type: 'domain', url: site.origin, headers: { Cookie: 'key=1' } })
  expect(await collection.addresses()).toMatchObject({ '/': { status: 'idle', reason: null } })
})
