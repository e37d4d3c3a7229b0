import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { crawlLimits } from '../../../server/engine/limits'
import { crawledSite } from '../../support/sites/crawled-site'

const { collection, site, open } = crawledSite()

/** Ends when its signal aborts; rejects as the preview does. */
const previews = {
  async site(signal: AbortSignal): Promise<void> {
    const input = { type: 'domain' as const, name: '', url: site.origin }
    const events = await collection.test.app.services.sources.preview(
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId },
      input,
      signal,
    )
    for await (const _ of events);
  },
  async page(signal: AbortSignal): Promise<void> {
    const { pagePreviews } = collection.test.app.services
    await pagePreviews.preview(system, collection.orgId, collection.collectionId, { page: `${site.origin}/` }, signal)
  },
}

it('previews of sites and pages share the slots of an organization, and release them', async () => {
  await open({ '/robots.txt': { delayMs: 'never' } })
  const stop = new AbortController()
  const isSite = (number: number) => number % 2 === 0
  // The look below may take a place before all of these have theirs.
  const hold = async (number: number): Promise<string> => {
    while (!stop.signal.aborted) {
      await (isSite(number) ? previews.site(stop.signal) : previews.page(stop.signal)).catch(() => sleep(10))
    }
    return 'ended'
  }
  const { perOrganization, maxWaiting } = crawlLimits.previewTurns
  const underWay = Array.from({ length: perOrganization + maxWaiting }, (_, number) => hold(number))
  const message = expect.stringContaining('Your organization has too many previews in progress.')
  const refused = { code: 'rate_limited', message }
  await expect
    .poll(() => previews.site(AbortSignal.timeout(50)).catch((error: unknown) => error))
    .toMatchObject(refused)
  await expect(previews.page(stop.signal)).rejects.toMatchObject(refused)

  stop.abort()
  expect(new Set(await Promise.all(underWay))).toEqual(new Set(['ended']))
  // Another site, as a robots.txt that hangs is asked for until its time is over.
  await open({ '/': '<title>Lamps</title><main><h1>Lamps</h1><p>All of our lamps.</p></main>' })
  await previews.page(new AbortController().signal)
  await previews.site(new AbortController().signal)
})
