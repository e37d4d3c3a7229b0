import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import type { Deadline } from '../fetch/deadline'
import { type AskDeps, refusalOfRobots } from '../fetch/polite-fetch'
import { createPatterns } from '../urls/url-patterns'
import { domainAddress, refusalOfShape } from '../urls/urls'
import type { PreviewRequest } from './preview'
import type { PreviewTally, Verdict } from './preview-stats'

export interface Candidate {
  address: string
  depth: number
  /** The front page that the patterns leave out: read for its links alone. */
  isExcluded: boolean
}

/** The addresses of a preview: each is met once, and waits to be read or is told as its address is judged. */
export interface PreviewLine {
  /** `verdict`: what is known of the address already. */
  meet(address: string, depth: number, verdict?: Verdict): Promise<void>
  next(): Candidate | undefined
  /** The candidate of this address before its turn, when it waits. */
  pull(address: string): Candidate | undefined
  /** One that waited turned out not to be in: another one may have its place. */
  giveBack(candidate: Candidate): void
  /** It is not read any more. */
  skip(candidate: Candidate): void
  waiting(): number
  /** No more addresses are met. */
  isFull(): boolean
  /** Whether there is more than was looked at. */
  isCut(): boolean
  cut(): void
}

export interface PreviewLineDeps {
  deps: AskDeps
  request: PreviewRequest
  tally: PreviewTally
  deadline: Deadline
}

export function createPreviewLine({ deps, request, tally, deadline }: PreviewLineDeps): PreviewLine {
  const { type, maxPages, maxDepth, gapMs } = request
  const limits = crawlLimits.preview
  const front = type === 'domain' ? domainAddress(request.url) : null
  const patterns = createPatterns(request)
  const room = Math.min(maxPages ?? crawlLimits.pagesPerRun, request.room, crawlLimits.pagesPerRun)
  const known = new Set<string>()
  /** At most as many as are read, in the order in which they were met: breadth first. */
  const line = new Map<string, Candidate>()
  let chosen = 0
  let inside = 0
  let isCut = false

  function isFull(): boolean {
    return known.size >= limits.addresses
  }

  async function judge(address: string, depth: number): Promise<Verdict | null> {
    const shape = refusalOfShape(address)
    if (shape) return verdictOf(shape)
    if (maxDepth !== null && depth > maxDepth) return verdictOf('over-depth')
    const closed = await closedByRobots(address)
    if (closed) return closed
    if (!patterns.admits(address)) return verdictOf('excluded')
    return inside >= room ? verdictOf('over-limit') : null
  }

  /** Asks nobody any more when the time is over. */
  async function closedByRobots(address: string): Promise<Verdict | null> {
    try {
      return await refusalOfRobots(deps, address, { gapMs, signal: deadline.signal })
    } catch (error) {
      if (deadline.isOver()) return null
      throw error
    }
  }

  function skip(candidate: Candidate): void {
    isCut = true
    tally.tell(candidate, candidate.isExcluded ? verdictOf('excluded') : null, { read: false })
  }

  return {
    async meet(address, depth, verdict) {
      if (known.has(address)) return
      if (isFull()) {
        isCut = true
        return
      }
      known.add(address)
      const refusal = verdict ?? (await judge(address, depth))
      const isExcluded = refusal?.reason === 'excluded' && address === front
      if (refusal && !isExcluded) return tally.tell({ address, depth }, refusal, { read: false })
      const candidate = { address, depth, isExcluded }
      if (!isExcluded) inside++
      if (chosen >= limits.pages || deadline.isOver()) return skip(candidate)
      chosen++
      line.set(address, candidate)
    },
    next() {
      const [candidate] = line.values()
      if (candidate) line.delete(candidate.address)
      return candidate
    },
    pull(address) {
      const candidate = line.get(address)
      line.delete(address)
      return candidate
    },
    giveBack({ isExcluded }) {
      if (!isExcluded) inside--
    },
    skip,
    waiting: () => line.size,
    isFull,
    isCut: () => isCut,
    cut() {
      isCut = true
    },
  }
}

export function verdictOf(reason: ReasonCode, address?: string): Verdict {
  const message = reasonText(reason, reason === 'other-host' && address ? { host: new URL(address).host } : {})
  return { reason, message }
}
