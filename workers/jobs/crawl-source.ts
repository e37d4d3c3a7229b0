import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../server/app'
import { type CrawlType, discover } from '../../server/engine/crawl/discover'
import { crawlLimits } from '../../server/engine/limits'
import { GiveUp, RetryLater } from '../../server/errors'
import type { ClaimedAddress, CrawlWork, FoundAddress } from '../../server/services/frontier'
import type { Problem } from '../../server/services/run-ends'
import type { JobHandler } from '../runner'
import { readAddress } from './read-address'

/** Pages under way at once: while one is fetched, others are read and stored. The pace keeps a host to one request. */
const lanes = 4
/** A run that waits longer than this gives its place to others. */
const longestWaitMs = 15_000

/**
 * One run of a source: finds its addresses, then reads them one by one. Each address is stored by itself, so a run that
 * is cut off, or gives its place to another for a while, goes on where it was.
 */
export function crawlSource(app: App): JobHandler {
  return async ({ sourceId = '', runId = '' }, signal) => {
    const work = await app.crawls.resume(sourceId, runId)
    if (!work) return
    await app.crawls.release(work)
    const isFinding = !work.discovered && (await app.crawls.standing(work)) === 'going'
    const problem = isFinding ? await findAddresses(app, work, signal) : null
    const isUsedUp = work.kind !== 'discover' && (await readAddresses(app, work, signal)) === 'used-up'
    const standing = await app.crawls.standing(work)
    if (standing === 'cancelled') return app.runEnds.cancel(work)
    if (standing !== 'going') return
    return isUsedUp ? app.runEnds.stopAtLimit(work) : app.runEnds.finish(work, problem)
  }
}

/** A run that failed again and again ends, and its source says so. */
export function giveUpSource(app: App) {
  return async ({ sourceId = '', runId = '' }: Record<string, string>): Promise<void> => {
    const work = await app.crawls.resume(sourceId, runId)
    if (work) await app.runEnds.giveUp(work)
  }
}

async function findAddresses(app: App, work: CrawlWork, signal: AbortSignal): Promise<Problem | null> {
  const { type, url, paceMs } = work.source
  if (type === 'file' || url === null) throw new GiveUp('This source has no address to crawl.')
  const site = { type: type satisfies CrawlType, url, access: app.crawls.access(work), gapMs: paceMs ?? undefined }
  let problem: Problem | null = null
  let found: FoundAddress[] = []
  for await (const item of discover(app.engine, site, signal)) {
    if (item.kind === 'problem') problem ??= { reason: item.reason, message: item.message }
    else found.push({ url: item.address, depth: 0, foundOn: url, lastModified: item.lastModified })
    if (found.length >= 1_000) {
      await app.crawls.list(work, found)
      found = []
      if ((await app.crawls.standing(work)) !== 'going') return null
    }
  }
  await app.crawls.list(work, found)
  await app.crawls.discovered(work)
  return problem
}

async function readAddresses(app: App, work: CrawlWork, signal: AbortSignal): Promise<'done' | 'used-up'> {
  const underWay = new Set<Promise<void>>()
  try {
    return await readInLanes(app, work, underWay, signal)
  } finally {
    // The job's end is the end of all that it started: who takes it next is alone with its addresses.
    await Promise.all(underWay)
  }
}

async function readInLanes(
  app: App,
  work: CrawlWork,
  underWay: Set<Promise<void>>,
  signal: AbortSignal,
): Promise<'done' | 'used-up'> {
  const placeUntil = Date.now() + crawlLimits.sliceMs
  let failure: unknown = null
  for (;;) {
    signal.throwIfAborted()
    if (failure) throw failure
    if (Date.now() > placeUntil && (await app.crawls.isAwaited())) throw new RetryLater(0)
    const isOver = (await app.crawls.standing(work)) !== 'going'
    const claimed = isOver ? [] : await app.crawls.claim(work, lanes - underWay.size)
    for (const address of claimed === 'used-up' ? [] : claimed) {
      const reading: Promise<void> = read(address)
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => underWay.delete(reading))
      underWay.add(reading)
    }
    if (underWay.size > 0) await Promise.race(underWay)
    else if (claimed === 'used-up') return 'used-up'
    else if (isOver || !(await waitForNext(app, work, signal))) return 'done'
  }

  function read(address: ClaimedAddress): Promise<void> {
    return readAddress(app, work, address, signal)
  }
}

/** False when no address waits. Hands the place to other runs where the wait is long. */
async function waitForNext(app: App, work: CrawlWork, signal: AbortSignal): Promise<boolean> {
  const due = await app.crawls.nextDue(work)
  if (!due) return false
  const wait = due.getTime() - Date.now()
  if (wait > longestWaitMs) throw new RetryLater(wait)
  await sleep(Math.max(0, wait), undefined, { signal })
  return true
}
