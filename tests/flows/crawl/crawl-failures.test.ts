import { expect, it } from 'vitest'
import { addresses } from '../../../db/schema/addresses'
import { crawledSite } from '../../support/sites/crawled-site'
import { subjectPage as page } from '../../support/sites/subject-page'

// Failure counts of addresses across runs.

const { collection, site, open } = crawledSite()

it('counts consecutive failures across runs and resets them on success', async () => {
  await open({ '/': page('Front', ['/a']), '/a': { status: 403 } })
  const id = await collection.add({ type: 'domain', url: site.origin })
  const failures = async () => (await collection.addresses())['/a']?.failures
  expect(await failures()).toBe(1)
  await collection.refresh(id)
  await collection.refresh(id)
  expect(await failures()).toBe(3)
  site.set('/a', page('Alpha'))
  await collection.refresh(id)
  expect(await failures()).toBe(0)
})

it('gives an address the same number of attempts in each run', async () => {
  await open({ '/': page('Front', ['/a']), '/a': page('Alpha') })
  const id = await collection.add({ type: 'domain', url: site.origin })
  const { db } = collection.test.app
  await db.write((tx) => tx.update(addresses).set({ failures: 9 }))
  let asked = 0
  site.set('/a', () => (++asked === 1 ? { status: 500 } : page('Alpha, changed')))
  const { last_run: run } = await collection.refresh(id)
  expect(run).toMatchObject({ changed: 1, failed: 0 })
  expect((await collection.addresses())['/a']).toMatchObject({ status: 'idle', reason: null, failures: 0 })
}, 30_000)

it.each([
  ['a refusal', { status: 403 }],
  ['a broken server', { status: 500 }],
])(
  'removes a page that is missing twice, also with %s in between',
  async (_, between) => {
    await open({ '/': page('Front', ['/a']), '/a': page('Alpha') })
    const id = await collection.add({ type: 'domain', url: site.origin })
    const alpha = async () => (await collection.addresses())['/a']
    site.set('/a', { status: 404 })
    await collection.refresh(id)
    expect(await alpha()).toMatchObject({ reason: 'missing-once', fragments: 1 })
    site.set('/a', between)
    await collection.refresh(id)
    expect(await alpha()).toMatchObject({ status: 'fail', fragments: 1 })
    site.set('/a', { status: 404 })
    await collection.refresh(id)
    expect(await alpha()).toMatchObject({ reason: 'not-found', fragments: 0 })
  },
  60_000,
)

it('resets the not-found count when a page returns', async () => {
  await open({ '/': page('Front', ['/a']), '/a': page('Alpha') })
  const id = await collection.add({ type: 'domain', url: site.origin })
  const alpha = async () => (await collection.addresses())['/a']
  for (const between of [page('Alpha'), page('Alpha, changed'), { body: '<main></main>' }]) {
    site.set('/a', { status: 404 })
    await collection.refresh(id)
    expect(await alpha()).toMatchObject({ reason: 'missing-once', fragments: 1 })
    site.set('/a', between)
    await collection.refresh(id)
  }
  site.set('/a', { status: 404 })
  await collection.refresh(id)
  expect(await alpha()).toMatchObject({ reason: 'missing-once', fragments: 1 })
}, 60_000)
