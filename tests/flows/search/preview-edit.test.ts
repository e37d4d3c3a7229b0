import { expect, it } from 'vitest'
import type { SourceEdit } from '../../../contract/sources/source'
import { system } from '../../../server/actor'
import { crawledSite } from '../../support/sites/crawled-site'

const { collection, site, open } = crawledSite()

async function reasonsOf(id: string, options: SourceEdit): Promise<Record<string, string | null>> {
  const signal = new AbortController().signal
  const { orgId, collectionId, test } = collection
  const fates: Record<string, string | null> = {}
  for await (const event of await test.app.services.sources.previewEdit(
    system,
    { organizationId: orgId, collectionId, sourceId: id },
    options,
    signal,
  )) {
    if (event.kind === 'address') fates[new URL(event.address).pathname] = event.reason
  }
  return fates
}

it('previews changed options of a source with its stored secrets, and stores nothing', async () => {
  const page = (title: string, links = '') =>
    `<title>${title}</title><main><h1>${title}</h1><p>All of it.</p>${links}</main>`
  await open({
    '/': page('Lamps', '<a href="/storm">Storm</a> <a href="/old/wick">Wick</a>'),
    '/storm': page('Storm'),
    '/old/wick': page('Wick'),
  })
  const id = await collection.add({
    type: 'domain',
    url: site.origin,
    exclude: ['/storm'],
    headers: { 'X-Access-Token': 'open-sesame' },
  })
  const before = await collection.source(id)
  const asked = site.requests.length
  expect(await reasonsOf(id, { exclude: ['/old/**'] })).toEqual({ '/': null, '/storm': null, '/old/wick': 'excluded' })
  const tokens = site.requests.slice(asked).map(({ headers }) => headers['x-access-token'])
  expect(new Set(tokens)).toEqual(new Set(['open-sesame']))
  expect(await reasonsOf(id, { max_depth: 0 })).toMatchObject({ '/storm': 'over-depth' })
  expect(await reasonsOf(id, {})).toEqual({ '/': null, '/storm': 'excluded', '/old/wick': null })

  const after = site.requests.length
  await reasonsOf(id, { clear_headers: true })
  expect(site.requests.slice(after).some(({ headers }) => 'x-access-token' in headers)).toBe(false)
  expect(await collection.source(id)).toEqual(before)
})
