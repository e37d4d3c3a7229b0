import { expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { addressRef } from '../../support/refs'
import { crawledSite } from '../../support/sites/crawled-site'

// Retries of a single address.

const { collection, site, open } = crawledSite()

const page = (text: string, links: string[] = [], head = '') =>
  `<html lang="en"><title>${text}</title>${head}<main><h1>${text}</h1><p>All about ${text}.</p></main>
   ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</html>`

async function retry(path: string) {
  const id = (await collection.addresses())[path]?.id ?? ''
  await collection.test.app.services.addresses.retry(system, addressRef(collection, id))
  await collection.test.runner.idle()
}

it('indexes only the retried address, and stores its links', async () => {
  await open({
    '/': page('Front', ['/a', '/out']),
    '/a': page('Alpha'),
    '/b': page('Beta'),
    '/out': page('Out'),
  })
  const id = await collection.add({ type: 'domain', url: site.origin, max_pages: 2 })
  expect((await collection.addresses())['/out']).toMatchObject({ status: 'limit' })
  await collection.test.app.services.sources.edit(
    system,
    { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
    { max_pages: null },
  )
  site.set('/a', page('Alpha with more', ['/b', '/out', '/c']))
  await retry('/a')
  expect(await collection.addresses()).toMatchObject({
    '/a': { status: 'idle', fragments: 1, meta_title: 'Alpha with more' },
    '/b': { status: 'new', reason: null, depth: 2 },
    '/c': { status: 'new' },
    '/out': { status: 'limit' },
  })
  expect(site.visited()).not.toContain('/b')
  expect(await collection.source(id)).toMatchObject({
    last_run: { kind: 'address', checked: 1, rejected: [] },
  })

  await collection.refresh(id)
  expect(await collection.addresses()).toMatchObject({
    '/b': { status: 'idle', fragments: 1 },
    '/c': { status: 'fail', reason: 'not-found' },
    '/out': { status: 'idle', fragments: 1 },
  })
})

it('fetches the canonical address of the retried one at once', async () => {
  await open({ '/': page('Front', ['/old', '/print']), '/old': page('Old'), '/print': page('Print') })
  await collection.add({ type: 'domain', url: site.origin })
  site.set('/old', { status: 301, headers: { location: '/fresh' } })
  site.set('/fresh', page('Fresh', ['/later']))
  site.set('/print', page('Print', ['/proper'], '<link rel="canonical" href="/proper">'))
  site.set('/proper', page('Proper'))
  await retry('/old')
  await retry('/print')
  expect(await collection.addresses()).toMatchObject({
    '/old': { reason: 'redirected', fragments: 0 },
    '/fresh': { status: 'idle', fragments: 1 },
    '/later': { status: 'new' },
    '/print': { reason: 'canonical', fragments: 0 },
    '/proper': { status: 'idle', fragments: 1 },
  })
})

it('fetches a stored link as soon as a page links to it', async () => {
  await open({ '/': page('Front', ['/print']), '/print': page('Print') })
  await collection.add({ type: 'domain', url: site.origin })
  site.set('/print', page('Print with more', ['/proper']))
  await retry('/print')
  expect((await collection.addresses())['/proper']).toMatchObject({ status: 'new' })
  site.set('/print', page('Print', [], '<link rel="canonical" href="/proper">'))
  site.set('/proper', page('Proper'))
  await retry('/print')
  expect((await collection.addresses())['/proper']).toMatchObject({ status: 'idle', fragments: 1 })
})

it('does not admit an address that the options exclude', async () => {
  await open({
    '/': page('Front', ['/docs/a', '/blog/b', '/docs/a/b']),
    '/docs/a': page('Alpha', ['/docs/deep']),
    '/docs/deep': page('Deep', ['/docs/deeper']),
    '/docs/deeper': page('Deeper'),
    '/blog/b': page('Beta'),
  })
  await collection.add({ type: 'domain', url: site.origin, include: ['/docs/**'], max_depth: 2 })
  const before = await collection.addresses()
  expect(before).toMatchObject({ '/blog/b': { reason: 'excluded' }, '/docs/deeper': { reason: 'over-depth' } })
  await expect(retry('/blog/b')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^The source's patterns exclude this address\. .* change the options/),
  })
  await expect(retry('/docs/deeper')).rejects.toMatchObject({ code: 'conflict' })
  expect(await collection.addresses()).toEqual(before)
  expect(site.visited()).not.toContain('/blog/b')
  await retry('/docs/a')
  expect((await collection.addresses())['/docs/a']).toMatchObject({ status: 'idle', fragments: 1 })
})
