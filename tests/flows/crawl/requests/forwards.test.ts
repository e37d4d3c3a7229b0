import { expect, it } from 'vitest'
import { system } from '../../../../server/actor'
import { crawledSite } from '../../../support/sites/crawled-site'

const { collection, site, open } = crawledSite()

const page = (title: string, links: string[] = []) =>
  `<title>${title}</title><main><h1>${title}</h1><p>All about ${title}, in words of its own.</p>
   ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</main>`

const manual = { '/latest/': page('Manual', ['wick']), '/latest/wick': page('Wicks') }

it.each([
  ['a refresh', '<title>Redirecting</title><meta http-equiv="refresh" content="0; url=latest/">'],
  ['a script', '<title>Manual</title><script>window.location.replace("latest/" + window.location.hash)</script>'],
  ['an assignment', '<title>Manual</title><script>location.href = "/latest/"</script><p>Loading</p>'],
])('a front page that only forwards by %s is followed as a redirect is', async (_how, body) => {
  await open({ ...manual, '/': body })
  const id = await collection.add({ type: 'domain', url: site.origin })
  expect(await collection.source(id)).toMatchObject({ status: 'idle', reason: null })
  const expected = {
    '/': { status: 'idle', reason: 'redirected', canonical_url: `${site.origin}/latest/` },
    '/latest/': { status: 'idle', reason: null },
    '/latest/wick': { status: 'idle', reason: null },
  }
  expect(await collection.addresses()).toMatchObject(expected)
  expect((await collection.refresh(id)).status).toBe('idle')
  expect(await collection.addresses()).toMatchObject(expected)
})

it('a preview follows it, too', async () => {
  await open({ ...manual, '/': '<meta http-equiv="refresh" content="0; url=/latest/">' })
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
  expect(results).toEqual({ '/': 'redirected', '/latest/': null, '/latest/wick': null })
})

it('a forward to another site is refused without a request, as a redirect is', async () => {
  await open({ '/': '<meta http-equiv="refresh" content="0; url=http://169.254.169.254/latest/meta-data">' })
  const id = await collection.add({ type: 'domain', url: site.origin })
  expect(await collection.source(id)).toMatchObject({ status: 'fail', reason: 'other-host' })
  const only = await collection.add({ type: 'url', url: `${site.origin}/` })
  expect(await collection.source(only)).toMatchObject({ status: 'fail', reason: 'forbidden-address' })
})
