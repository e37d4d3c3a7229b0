import { setTimeout as sleep } from 'node:timers/promises'
import { type ReasonCode, reasonText } from '../../contract/reasons'
import type { App } from '../../server/app'
import { type CrawlType, discover, followsLinks } from '../../server/engine/crawl/discover'
import { type Visit, visitPage } from '../../server/engine/crawl/visit'
import { GiveUp, RetryLater } from '../../server/errors'
import type { ClaimedAddress, CrawlWork, FoundLink } from '../../server/services/crawls'
import type { JobHandler } from '../runner'

/** Pages under way at once: while one is fetched, others are read and stored. The pace keeps a host to one request. */
const lanes = 3
/** Waits before an address is tried again, in milliseconds; then it has failed. A site that names a time is obeyed. */
const patience = [2_000, 10_000]
/** A run that waits longer than this gives its place to others. */
const longestWaitMs = 15_000
/** What stood at an address is taken away when its owner says so, never because a server had a bad day. */
const withdraws = new Set<ReasonCode>(['gone', 'not-found', 'noindex', 'robots-disallowed', 'not-html', 'other-host'])

interface Problem {
  reason: ReasonCode
  message: string
}

/**
 * One run of a source: finds its addresses, then reads them one by one. Each address is stored by itself, so a run that
 * is cut off goes on where it was.
 */
export function crawlSource(app: App): JobHandler {
  return async ({ sourceId = '', runId = '' }, signal) => {
    const work = await app.crawls.resume(sourceId, runId)
    if (!work) return
    await app.crawls.release(work)
    const isNew = work.source.status === 'processing' && !(await app.crawls.isOver(work))
    const problem = isNew ? await findAddresses(app, work, signal) : null
    await readAddresses(app, work, signal)
    await finish(app, work, problem)
  }
}

/** A run that failed for good ends, so that its source says so and can be refreshed. What was read stays. */
export function giveUpSource(app: App) {
  return async ({ sourceId = '', runId = '' }: Record<string, string>): Promise<void> => {
    const work = await app.crawls.resume(sourceId, runId)
    const reason = 'crawl-failed'
    if (work) await app.crawls.finish(work, { status: 'fail', reason, message: reasonText(reason) })
  }
}

async function findAddresses(app: App, work: CrawlWork, signal: AbortSignal): Promise<Problem | null> {
  const { type, url } = work.source
  if (type === 'file' || url === null) throw new GiveUp('This source has no address to crawl.')
  let problem: Problem | null = null
  let found: FoundLink[] = []
  for await (const item of discover(app.engine, { type, url }, signal)) {
    if (item.kind === 'problem') problem ??= { reason: item.reason, message: item.message }
    else found.push({ url: item.address, depth: 0, foundOn: url })
    if (found.length >= 1_000) {
      await app.crawls.list(work, found)
      found = []
      if (await app.crawls.isOver(work)) return null
    }
  }
  await app.crawls.list(work, found)
  await app.crawls.startFetching(work)
  return problem
}

async function readAddresses(app: App, work: CrawlWork, signal: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>()
  try {
    await readInLanes(app, work, underWay, signal)
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
): Promise<void> {
  let failure: unknown = null
  for (;;) {
    signal.throwIfAborted()
    if (failure) throw failure
    const over = await app.crawls.isOver(work)
    const claimed = over ? [] : await app.crawls.claim(work, lanes - underWay.size)
    for (const address of claimed) {
      const reading: Promise<void> = readAddress(app, work, address, signal)
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => underWay.delete(reading))
      underWay.add(reading)
    }
    if (underWay.size > 0) await Promise.race(underWay)
    else if (over || !(await waitForNext(app, work, signal))) return
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

async function readAddress(app: App, work: CrawlWork, address: ClaimedAddress, signal: AbortSignal): Promise<void> {
  const type = work.source.type as CrawlType
  const request = {
    url: address.url,
    etag: address.etag,
    lastModified: address.lastModified,
    followLinks: followsLinks(type),
    site: type === 'url' ? null : work.source.url,
  }
  const visit = await visitPage(app.engine, request, signal)
  // What came of a visit that was cut off says nothing about the page.
  signal.throwIfAborted()
  await store(app, work, address, visit)
}

async function store(app: App, work: CrawlWork, address: ClaimedAddress, visit: Visit): Promise<void> {
  const { crawls } = app
  if (visit.kind === 'retry') {
    const wait = patience[address.failures]
    const named = visit.reason === 'rate-limited' ? visit.afterMs : 0
    if (wait !== undefined) return crawls.storeRetry(address, Math.max(wait, named))
    return crawls.storeRefusal(work, address, { ...visit, withdraw: false })
  }
  if (visit.kind === 'gone') return crawls.storeRefusal(work, address, { ...visit, withdraw: true })
  const links = (urls: string[]) => urls.map((url) => ({ url, depth: address.depth + 1, foundOn: address.url }))
  if (visit.kind === 'refused') {
    return crawls.storeRefusal(work, address, { ...visit, withdraw: withdraws.has(visit.reason) }, links(visit.links))
  }
  if (visit.finalUrl !== address.url) return crawls.storeRedirect(work, address, links([visit.finalUrl]))
  if (visit.kind === 'unchanged') return crawls.storeUnchanged(work, address)
  const { document } = visit
  const page = {
    httpStatus: visit.status,
    contentType: visit.contentType,
    bytes: visit.bytes,
    etag: visit.etag,
    lastModified: visit.lastModified,
    language: document.language,
    title: document.title,
    description: document.description,
    textHash: visit.textHash,
    fragments: visit.fragments,
  }
  return crawls.storePage(work, address, page, links(visit.links))
}

async function finish(app: App, work: CrawlWork, problem: Problem | null): Promise<void> {
  const { kept, ignored, firstFailure } = await app.crawls.tally(work)
  const cancelled = await app.crawls.isOver(work)
  if (cancelled) return app.crawls.finish(work, { status: 'idle', reason: null, message: null })
  if (kept === 0) return app.crawls.finish(work, { status: 'fail', ...(firstFailure ?? problem ?? nothing()) })
  if (ignored > 0)
    return app.crawls.finish(work, { status: 'url-limit', reason: 'over-limit', message: reasonText('over-limit') })
  return app.crawls.finish(work, { status: 'idle', reason: null, message: null })
}

function nothing(): Problem {
  return { reason: 'empty-page', message: reasonText('empty-page') }
}
