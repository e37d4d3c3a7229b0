import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import { checkRobots, type PoliteFetchDeps } from '../fetch/polite-fetch'
import { createAdmission, pageLimit } from '../urls/admission'
import type { Deadline } from './deadline'
import type { PreviewRequest } from './preview-request'
import type { Exclusion, PreviewStats } from './preview-stats'

export interface Candidate {
  url: string
  depth: number
  /** An entry page that the patterns exclude, fetched for its links alone. */
  isLinksOnly: boolean
}

/** The addresses of a preview, each once: queued to be fetched, or recorded with why they are excluded. */
export interface PreviewQueue {
  /** `exclusion`: why the address is excluded, if the caller knows. */
  add(url: string, depth: number, exclusion?: Exclusion): Promise<void>
  /** Returns the next candidate. Without one, records those beyond the limit. */
  next(): Candidate | undefined
  /** Removes the candidate of this URL before its turn. */
  takeOut(url: string): Candidate | undefined
  /** A candidate is excluded after all, so that the next one beyond the limit takes its place. */
  release(candidate: Candidate): void
  /** Records a candidate that is not fetched. */
  skip(candidate: Candidate): void
  waiting(): number
  /** Whether no more addresses are added. */
  isFull(): boolean
  /** Whether the site has more than the preview shows. */
  isTruncated(): boolean
  truncate(): void
}

export interface PreviewQueueDeps {
  deps: PoliteFetchDeps
  request: PreviewRequest
  stats: PreviewStats
  deadline: Deadline
}

export function createPreviewQueue({ deps, request, stats, deadline }: PreviewQueueDeps): PreviewQueue {
  const limits = crawlLimits.preview
  const admission = createAdmission(request)
  const maxIncluded = Math.min(pageLimit(request), request.remainingPages)
  const seen = new Set<string>()
  /** First in, first out: the crawl is breadth-first. */
  const queue = new Map<string, Candidate>()
  /** Candidates beyond the limit, until it is certain that none before them is excluded. */
  let beyond: Candidate[] = []
  let queued = 0
  let included = 0
  let isTruncated = false

  function isFull(): boolean {
    return seen.size >= limits.addresses
  }

  async function exclusionOf(url: string, depth: number): Promise<Exclusion | null> {
    const reason = admission.exclusionOf({ url, depth })
    if (reason) return exclusionFor(reason)
    return robotsExclusion(url)
  }

  /** Null without a request when the time is over. */
  async function robotsExclusion(url: string): Promise<Exclusion | null> {
    try {
      return await checkRobots(deps, url, { crawlDelayMs: request.crawlDelayMs, signal: deadline.signal })
    } catch (error) {
      if (deadline.isOver()) return null
      throw error
    }
  }

  function skip(candidate: Candidate): void {
    isTruncated = true
    stats.record(candidate, candidate.isLinksOnly ? exclusionFor('excluded') : null, { read: false })
  }

  function admit(candidate: Candidate): void {
    if (!candidate.isLinksOnly) included++
    if (queued >= limits.pages || deadline.isOver()) skip(candidate)
    else {
      queued++
      queue.set(candidate.url, candidate)
    }
  }

  function refuseBeyond(): void {
    for (const candidate of beyond) stats.record(candidate, exclusionFor('over-limit'), { read: false })
    beyond = []
  }

  return {
    async add(url, depth, known) {
      if (seen.has(url)) return
      if (isFull()) {
        isTruncated = true
        return
      }
      seen.add(url)
      const exclusion = known ?? (await exclusionOf(url, depth))
      if (exclusion) return stats.record({ url, depth }, exclusion, { read: false })
      const isLinksOnly = admission.isLinksOnly(url)
      const candidate = { url, depth, isLinksOnly }
      if (!isLinksOnly && included >= maxIncluded) beyond.push(candidate)
      else admit(candidate)
    },
    next() {
      const [candidate] = queue.values()
      if (candidate) queue.delete(candidate.url)
      else refuseBeyond()
      return candidate
    },
    takeOut(url) {
      const candidate = queue.get(url)
      queue.delete(url)
      return candidate
    },
    release({ isLinksOnly }) {
      if (isLinksOnly) return
      included--
      const successor = included < maxIncluded ? beyond.shift() : undefined
      if (successor) admit(successor)
    },
    skip,
    waiting: () => queue.size,
    isFull,
    isTruncated: () => isTruncated,
    truncate() {
      isTruncated = true
    },
  }
}

/** `url` names the host of another site. */
export function exclusionFor(reason: ReasonCode, url?: string): Exclusion {
  return { reason, message: reasonText(reason, reason === 'other-host' && url ? { host: new URL(url).host } : {}) }
}
