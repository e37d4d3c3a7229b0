import { reasonText } from '../../../contract/reasons'
import { crawlLimits } from '../limits'
import { followsLinks } from './discover'
import { type Candidate, type PreviewLine, type PreviewLineDeps, verdictOf } from './preview-line'
import type { PageSize, Verdict } from './preview-tally'
import { type Visit, type VisitDeps, visitPage } from './visit'

/** Reads the pages of a preview and tells what became of them. */
export interface PreviewReading {
  /** Visits the page, tells it, and meets its links. A page that names a proper address is told after that one. */
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
  /** Addresses by the hash of their text. */
  const texts = new Map<string, string>()

  async function read(candidate: Candidate): Promise<void> {
    const { address, depth, isExcluded } = candidate
    const visit = await visitOrStay(candidate)
    if (visit === null) return line.skip(candidate)
    const verdict = fateOf(visit, address)
    if (verdict) line.giveBack(candidate)
    if (visit.kind !== 'page' && visit.kind !== 'document')
      leadsTo.set(address, visit.kind === 'elsewhere' ? visit.address : null)
    const title = visit.kind === 'page' ? visit.document.title || null : visit.kind === 'document' ? visit.name : null
    tally.tell(candidate, isExcluded ? verdictOf('excluded') : verdict, { read: true, title })
    if (visit.kind === 'elsewhere') await line.meet(visit.address, depth)
    if ('left' in visit) {
      for (const { address, reason } of visit.left) await line.meet(address, depth + 1, verdictOf(reason, address))
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

  function fateOf(visit: Visit, address: string): Verdict | null {
    if (visit.kind === 'unchanged' || visit.kind === 'document') return null
    if (visit.kind === 'elsewhere') return withAddress(visit.reason, visit.address)
    if (visit.kind !== 'page') return { reason: visit.reason, message: visit.message }
    const twin = texts.get(visit.textHash)
    if (twin !== undefined) return withAddress('duplicate', twin)
    texts.set(visit.textHash, address)
    return null
  }

  return { read }
}

function sizeOf(visit: Visit): PageSize | null {
  if (visit.kind !== 'page') return null
  return { bytes: visit.bytes, fragments: visit.fragments.length }
}

function withAddress(reason: 'redirected' | 'canonical' | 'duplicate', address: string): Verdict {
  return { reason, message: `${reasonText(reason)} ${address}` }
}
