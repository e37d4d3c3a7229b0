import { setImmediate as breathe } from 'node:timers/promises'
import type { PreviewEvent } from '../../../../contract/views/preview'
import { crawlLimits } from '../../limits'
import type { SiteAccess } from '../../ports'
import { type CrawlType, type Surveyed, survey } from '../discover/discover'
import type { SitemapDeps } from '../discover/read-sitemaps'
import { createDeadline, type Deadline } from '../fetch/deadline'
import type { VisitDeps } from '../fetch/fetch-page'
import { createPreviewLine } from './preview-queue'
import { createPreviewReading } from './preview-reader'
import { createPreviewTally } from './preview-stats'

export interface PreviewRequest {
  type: CrawlType
  url: string
  include: string[]
  exclude: string[]
  /** Null for no limit but those of a run. */
  maxPages: number | null
  maxDepth: number | null
  access: SiteAccess | null
  /** Milliseconds between two requests to the site, in place of the default. */
  gapMs?: number
  /** Addresses that the plan still allows. */
  room: number
}

const progressMs = 500
/** So many addresses are handed over before the event loop has its turn. */
const breath = 200

/**
 * What a crawl of this source would take in and what not, and why; nothing is stored. Finds addresses as a crawl does,
 * reads the first hundred pages for at most a minute, and judges the others by their addresses. Each address is told
 * when its fate is known, and again where it gives way to one with the same text; the last event is 'done'. Rejects only
 * when `signal` aborts.
 */
export async function* preview(
  deps: VisitDeps & SitemapDeps,
  request: PreviewRequest,
  signal: AbortSignal,
): AsyncGenerator<PreviewEvent> {
  const deadline = createDeadline(crawlLimits.preview.totalMs, signal)
  const tally = createPreviewTally()
  const line = createPreviewLine({ deps, request, tally, deadline })
  const reading = createPreviewReading({ deps, request, tally, deadline, line })
  const state = () => ({ waiting: line.waiting(), cut: line.isCut() })
  let progressAt = performance.now()
  let handedOver = 0

  async function* news(): AsyncGenerator<PreviewEvent> {
    for (const event of tally.take()) {
      yield event
      if (++handedOver % breath === 0) {
        await breathe()
        signal.throwIfAborted()
      }
    }
    if (performance.now() - progressAt < progressMs) return
    yield tally.summary('progress', state())
    progressAt = performance.now()
  }

  try {
    for await (const found of findAddresses(deps, request, deadline)) {
      if (found === 'cut') line.cut()
      else await line.meet(found.address, 0, found.kind === 'address' ? undefined : found)
      signal.throwIfAborted()
      yield* news()
      if (line.isFull()) {
        line.cut()
        break
      }
    }
    for (let next = line.next(); next; next = line.next()) {
      await reading.read(next)
      signal.throwIfAborted()
      yield* news()
    }
    yield tally.summary('done', state())
  } finally {
    deadline.end()
  }
}

/** As a crawl does, but for at most half of the time. */
async function* findAddresses(
  deps: VisitDeps & SitemapDeps,
  request: PreviewRequest,
  whole: Deadline,
): AsyncGenerator<Surveyed | 'cut'> {
  const half = createDeadline(crawlLimits.preview.totalMs / 2, whole.signal)
  try {
    for await (const found of survey(deps, request, half.signal)) {
      yield found
      if (found.kind === 'problem' && found.reason === 'over-limit') yield 'cut'
    }
  } catch (error) {
    if (!half.isOver()) throw error
    yield 'cut'
  } finally {
    half.end()
  }
}
