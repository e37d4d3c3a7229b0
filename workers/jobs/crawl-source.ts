import { setTimeout as sleep } from 'node:timers/promises'
import type { ReasonCode } from '../../contract/reasons'
import type { App } from '../../server/app'
import { type CrawlType, discover } from '../../server/engine/crawl/discover/discover'
import type { Discovered } from '../../server/engine/crawl/discover/discovered'
import { crawlLimits } from '../../server/engine/limits'
import { GiveUp, RetryLater } from '../../server/errors'
import type { AddressRow, DiscoveredAddress, RunContext } from '../../server/services/crawling/runs/run-context'
import type { JobHandler } from '../runner'
import { readAddress } from './read-address'
import { watchRunState } from './watch-run-state'

/** A run that waits longer than this gives its place to others. */
const maxWaitMs = 15_000
/** How often a run counts those that run beside it. */
const lookMs = 1_000

/** How a piece of a run ended: by itself, because somebody holds or ended the run, or with the month's crawls. */
type Outcome = 'done' | 'cut' | 'used-up'

/**
 * One run of a source: finds its addresses, then reads them one by one. Each address is stored by itself, so a run that
 * is cut off, or gives its place to another for a while, goes on where it was.
 */
export function crawlSource(app: App): JobHandler {
  return async ({ sourceId = '', runId = '' }, signal) => {
    const work = await app.crawls.resume(sourceId, runId)
    if (!work) return
    try {
      await crawl(app, work, signal)
    } catch (error) {
      // What is swept away under a run cannot be written to: its source is deleted, and nothing is to be done again.
      if (signal.aborted || (await app.crawls.standing(work)) !== 'gone') throw error
    }
  }
}

async function crawl(app: App, work: RunContext, signal: AbortSignal): Promise<void> {
  await app.crawls.release(work)
  const isGoing = (await app.crawls.standing(work)) === 'going'
  const found = !isGoing ? 'cut' : work.discovered ? 'done' : await findAddresses(app, work, signal)
  for (let outcome: Outcome = found; ; ) {
    if (outcome === 'done' && work.kind !== 'discover') outcome = await readAddresses(app, work, signal)
    if (outcome !== 'cut' && work.kind === 'full' && !(await settle(app, work, signal))) outcome = 'cut'
    if (outcome === 'cut') return endIfCancelled(app, work)
    const hasEnded = outcome === 'used-up' ? await app.finishRun.stopAtLimit(work) : await app.finishRun.finish(work)
    if (hasEnded) return
    if ((await app.crawls.standing(work)) !== 'going') outcome = 'cut'
  }
}

/** What stands on most pages leaves them. False where somebody held or ended the run meanwhile. */
async function settle(app: App, work: RunContext, signal: AbortSignal): Promise<boolean> {
  if (work.source.type === 'file') return true
  const watch = watchRunState(app, work, signal)
  try {
    await app.crawls.settle(work, watch.signal)
    return true
  } catch (error) {
    if (watch.isCut()) return false
    throw error
  } finally {
    watch.stop()
  }
}

/** A run that is held or whose source is gone just stops; resuming puts a job in line again. */
async function endIfCancelled(app: App, work: RunContext): Promise<void> {
  if ((await app.crawls.standing(work)) === 'cancelled') await app.finishRun.cancel(work)
}

/** A run that failed again and again ends, and its source says so. */
export function giveUpSource(app: App) {
  return async ({ sourceId = '', runId = '' }: Record<string, string>): Promise<void> => {
    const work = await app.crawls.resume(sourceId, runId)
    if (work) await app.finishRun.giveUp(work)
  }
}

async function findAddresses(app: App, work: RunContext, signal: AbortSignal): Promise<Outcome> {
  const { type, url, crawlDelayMs } = work.source
  if (type === 'file') return listFile(app, work)
  if (url === null) throw new GiveUp('This source has no address to crawl.')
  await app.crawls.startLooking(work)
  const site = {
    type: type satisfies CrawlType,
    url,
    access: app.crawls.access(work),
    crawlDelayMs: crawlDelayMs ?? undefined,
  }
  let problem: { reason: ReasonCode; message: string } | null = null
  let found: DiscoveredAddress[] = []
  const watch = watchRunState(app, work, signal)
  try {
    for await (const item of discover(app.engine, site, watch.signal)) {
      if (item.kind === 'problem') problem ??= { reason: item.reason, message: item.message }
      else found.push(asFound(item, url))
      if (found.length >= 1_000) {
        await app.crawls.list(work, found)
        found = []
      }
    }
    await app.crawls.list(work, found)
  } catch (error) {
    if (watch.isCut()) return 'cut'
    throw error
  } finally {
    watch.stop()
  }
  if ((await app.crawls.standing(work)) !== 'going') return 'cut'
  await app.crawls.discovered(work, problem)
  return 'done'
}

async function listFile(app: App, work: RunContext): Promise<Outcome> {
  const file = await app.files.findToRead(work.source.id)
  if (!file) throw new GiveUp('This source has no file.')
  await app.documents.list(work, file.name)
  await app.crawls.discovered(work, null)
  return 'done'
}

function asFound(item: Exclude<Discovered, { kind: 'problem' }>, url: string): DiscoveredAddress {
  const place = { url: item.url, depth: 0, discoveredFrom: url }
  return item.kind === 'excluded'
    ? { ...place, exclusion: item.reason }
    : { ...place, lastModified: item.lastModified, language: item.language }
}

async function readAddresses(app: App, work: RunContext, signal: AbortSignal): Promise<Outcome> {
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
  work: RunContext,
  underWay: Set<Promise<void>>,
  signal: AbortSignal,
): Promise<Outcome> {
  const placeUntil = Date.now() + crawlLimits.sliceMs
  let failure: unknown = null
  let lanes = 0
  for (let lookAt = 0; ; ) {
    signal.throwIfAborted()
    if (failure) throw failure
    if (Date.now() >= lookAt) {
      lanes = await app.crawls.lanes(work)
      lookAt = Date.now() + lookMs
    }
    if (Date.now() > placeUntil && (await app.crawls.isAwaited())) throw new RetryLater(0)
    const isCut = (await app.crawls.standing(work)) !== 'going'
    const held = isCut ? 0 : heldMs(app, work)
    const isFull = underWay.size >= lanes
    const claimed = isCut || held > 0 || isFull ? [] : await app.crawls.claim(work, lanes - underWay.size)
    for (const address of claimed === 'used-up' ? [] : claimed) {
      const reading: Promise<void> = read(address)
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => underWay.delete(reading))
      underWay.add(reading)
    }
    if (underWay.size > 0) await Promise.race(underWay)
    else if (isCut) return 'cut'
    else if (claimed === 'used-up') return 'used-up'
    else if (held > 0) throw new RetryLater(held)
    else if (!(await waitForNext(app, work, signal))) return 'done'
  }

  function read(address: AddressRow): Promise<void> {
    return readAddress(app, work, address, signal)
  }
}

/** How long the source's site wants to be left alone, where that is too long to wait for. */
function heldMs(app: App, { source }: RunContext): number {
  const held = source.url === null ? 0 : app.engine.rateLimiter.waitMs(source.url)
  return held > crawlLimits.maxHostWaitMs ? held : 0
}

/** False when no address waits. Hands the place to other runs where the wait is long. */
async function waitForNext(app: App, work: RunContext, signal: AbortSignal): Promise<boolean> {
  const due = await app.crawls.nextDue(work)
  if (!due) return false
  const wait = due.getTime() - Date.now()
  if (wait > maxWaitMs) throw new RetryLater(wait)
  await sleep(Math.max(0, wait), undefined, { signal })
  return true
}
