import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { PreviewEvent } from '../../../../contract/views/preview'
import { crawlLimits } from '../../limits'
import { discover } from '../discover/discover'
import type { Discovered } from '../discover/discovered'
import type { SitemapDeps } from '../discover/read-sitemaps'
import { createCookies, withCookies } from '../fetch/cookies'
import type { FetchPageDeps } from '../fetch/page-request'
import { createDeadline, type Deadline } from './deadline'
import { createPreviewQueue } from './preview-queue'
import { createPreviewReader } from './preview-reader'
import type { PreviewRequest } from './preview-request'
import { createPreviewStats } from './preview-stats'

const summaryIntervalMs = 500
const eventsPerYield = 200

/**
 * Shows what a crawl of this source would index and what not, and why, without storing anything. Discovers addresses as a
 * crawl does, fetches the first hundred pages for up to a minute, and judges the others by their URLs. Yields an event
 * for each address, and another one when a later page with the same text replaces it; the last event is 'done'.
 * Rejects only when `signal` aborts.
 */
export async function* preview(
  deps: FetchPageDeps & SitemapDeps,
  options: PreviewRequest,
  signal: AbortSignal,
): AsyncGenerator<PreviewEvent> {
  const request = { ...options, access: withCookies(options.access, options.url, createCookies()) }
  const deadline = createDeadline(crawlLimits.preview.totalMs, signal)
  const stats = createPreviewStats(request.url)
  const queue = createPreviewQueue({ deps, request, stats, deadline })
  const reader = createPreviewReader({ deps, request, stats, deadline, queue })
  const state = () => ({ waiting: queue.waiting(), cut: queue.isTruncated() })
  let summaryAt = performance.now()
  let yielded = 0

  async function* newEvents(): AsyncGenerator<PreviewEvent> {
    for (const event of stats.takeEvents()) {
      yield event
      if (++yielded % eventsPerYield === 0) {
        await yieldToEventLoop()
        signal.throwIfAborted()
      }
    }
    if (performance.now() - summaryAt < summaryIntervalMs) return
    yield stats.summary('progress', state())
    summaryAt = performance.now()
  }

  try {
    for await (const item of discoverInHalf(deps, request, deadline)) {
      if (item === 'truncated') queue.truncate()
      else await queue.add(item.url, 0, item.kind === 'address' ? undefined : item)
      signal.throwIfAborted()
      yield* newEvents()
      if (queue.isFull()) {
        queue.truncate()
        break
      }
    }
    for (let next = queue.next(); next; next = queue.next()) {
      await reader.read(next)
      signal.throwIfAborted()
      yield* newEvents()
    }
    yield* newEvents()
    yield stats.summary('done', state())
  } finally {
    deadline.clear()
  }
}

/** Discovers addresses for at most half of the time. */
async function* discoverInHalf(
  deps: FetchPageDeps & SitemapDeps,
  request: PreviewRequest,
  whole: Deadline,
): AsyncGenerator<Discovered | 'truncated'> {
  const half = createDeadline(crawlLimits.preview.totalMs / 2, whole.signal)
  try {
    for await (const item of discover(deps, request, half.signal)) {
      yield item
      if (item.kind === 'problem' && item.reason === 'over-limit') yield 'truncated'
    }
  } catch (error) {
    if (!half.isOver()) throw error
    yield 'truncated'
  } finally {
    half.clear()
  }
}
