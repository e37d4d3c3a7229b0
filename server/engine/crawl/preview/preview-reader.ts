import { withAddress } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import { followsLinks } from '../discover/discover'
import { type Visit, type VisitDeps, type VisitedPage, visitPage } from '../fetch/fetch-page'
import { comesBefore } from '../urls/preferred-url'
import { type Candidate, type PreviewLine, type PreviewLineDeps, verdictOf } from './preview-queue'
import type { PageSize, Verdict } from './preview-stats'

/** Reads the pages of a preview and tells what became of them. */
export interface PreviewReading {
  /**
   * Visits the page, tells it, and meets its links. A page that names a proper address is told after that one; one that
   * gives way to another with its text, which is read later, is told again.
   */
  read(candidate: Candidate): Promise<void>
}

export function createPreviewReading({
  deps,
  request,
  tally,
  deadline,
  line,
}: PreviewLineDeps & { deps: VisitDeps; line: PreviewLine }): PreviewReading {
  const { type, access, gapMs } = request
  const site = type === 'url' ? null : request.url
  /** Pages that wait for the fate of their proper address. */
  const behind = new Set<string>()
  /** Where those lead that show no page; null where they lead nowhere. */
  const leadsTo = new Map<string, string | null>()
  /** Pages that are in by the hash of their text. */
  const keepers = new Map<string, { candidate: Candidate; title: string | null }>()

  async function read(candidate: Candidate): Promise<void> {
    const { address, depth, isExcluded } = candidate
    const visit = await visitOrStay(candidate)
    if (visit === null) return line.skip(candidate)
    const verdict = isExcluded ? verdictOf('excluded') : fateOf(visit, candidate)
    if (verdict) line.giveBack(candidate)
    if (visit.kind !== 'page' && visit.kind !== 'document')
      leadsTo.set(address, visit.kind === 'elsewhere' ? visit.address : null)
    tally.tell(candidate, verdict, { read: true, title: titleOf(visit) })
    if (visit.kind === 'elsewhere') await line.meet(visit.address, depth)
    if ('left' in visit) {
      for (const { address, reason } of visit.left) {
        // Pictures and the like that a page links to: a run does not list them either.
        if (reason !== 'not-html') await line.meet(address, depth + 1, verdictOf(reason, address))
      }
    }
    if ('links' in visit) {
      for (const link of visit.links) await line.meet(link, depth + 1)
    }
    // All that follow would be told to wait, too.
    if (visit.kind === 'retry' && visit.afterMs > crawlLimits.patienceMs) deadline.stop()
  }

  /** A page gives way to its proper address only where that one is a page and does not lead back. */
  async function visitOrStay({ address, depth }: Candidate): Promise<Visit | null> {
    const visit = await visitAt(address, type !== 'url')
    if (visit?.kind !== 'elsewhere' || visit.reason !== 'canonical') return visit
    const proper = visit.address
    behind.add(address)
    await line.meet(proper, depth)
    const candidate = line.pull(proper)
    if (candidate) await read(candidate)
    behind.delete(address)
    const target = leadsTo.get(proper)
    const mustStay = behind.has(proper) || target === null || target === address
    return mustStay ? visitAt(address, false) : visit
  }

  /** Null when the time is over. */
  async function visitAt(address: string, followCanonical: boolean): Promise<Visit | null> {
    if (deadline.isOver()) return null
    const began = performance.now()
    const wanted = { url: address, followLinks: followsLinks(type), site, followCanonical, access, gapMs }
    try {
      const visit = await visitPage(deps, wanted, deadline.signal)
      tally.visited(performance.now() - began, sizeOf(visit))
      return visit
    } catch (error) {
      if (deadline.isOver()) return null
      throw error
    }
  }

  function fateOf(visit: Visit, candidate: Candidate): Verdict | null {
    if (visit.kind === 'unchanged' || visit.kind === 'document') return null
    if (visit.kind === 'elsewhere') return inPlaceOf(visit.reason, visit.address)
    if (visit.kind !== 'page') return { reason: visit.reason, message: visit.message }
    return fateOfText(visit, candidate)
  }

  /** As in a run, the order of the addresses decides which of those with the same text is in. */
  function fateOfText(visit: VisitedPage, candidate: Candidate): Verdict | null {
    const keeper = keepers.get(visit.textHash)
    if (keeper && comesBefore(keeper.candidate.address, candidate.address)) {
      return inPlaceOf('duplicate', keeper.candidate.address)
    }
    keepers.set(visit.textHash, { candidate, title: titleOf(visit) })
    if (keeper) {
      line.giveBack(keeper.candidate)
      tally.tellAgain(keeper.candidate, inPlaceOf('duplicate', candidate.address), keeper.title)
    }
    return null
  }

  return { read }
}

function titleOf(visit: Visit): string | null {
  if (visit.kind === 'document') return visit.name
  return visit.kind === 'page' ? visit.document.title || null : null
}

function sizeOf(visit: Visit): PageSize | null {
  if (visit.kind !== 'page') return null
  return { bytes: visit.bytes, fragments: visit.fragments.length }
}

function inPlaceOf(reason: 'redirected' | 'canonical' | 'duplicate', address: string): Verdict {
  return { reason, message: withAddress(reason, address) }
}
