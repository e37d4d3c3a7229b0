import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { parseUrl } from '../../../../contract/values/url'
import type { PreviewEvent, PreviewSummary } from '../../../../contract/views/preview'
import { isSameSite } from '../urls/urls'

/** Why an address is not indexed. */
export interface Exclusion {
  reason: ReasonCode
  message: string
}

interface PreviewedAddress {
  url: string
  depth: number
}

export interface PageSize {
  bytes: number
  fragments: number
}

/** Collects the events of a preview, counts them, and estimates a full run from the pages that were fetched. */
export interface PreviewStats {
  /** `exclusion`: null for an address that would be indexed. */
  record(address: PreviewedAddress, exclusion: Exclusion | null, page: { read: boolean; title?: string | null }): void
  /** Records an included page again, now as excluded. */
  amend(address: PreviewedAddress, exclusion: Exclusion, title: string | null): void
  /** `page`: null for a fetch without a page to index. */
  recordFetch(durationMs: number): void
  /** Null for a page without a text of its own. */
  recordPage(page: PageSize | null): void
  /** Removes and returns the events since the last call. */
  takeEvents(): PreviewEvent[]
  /** `waiting`: addresses that are not recorded yet. */
  summary(kind: PreviewSummary['kind'], state: { waiting: number; cut: boolean }): PreviewSummary
}

const maxFolders = 50

/** `site`: an address of the site, whose addresses are counted. */
export function createPreviewStats(site: string): PreviewStats {
  let events: PreviewEvent[] = []
  const reasons = new Map<ReasonCode, number>()
  const folders = new Map<string, { in: number; out: number }>()
  const totals = { in: 0, out: 0, read: 0 }
  const fetches = { count: 0, ms: 0, pages: 0, bytes: 0, fragments: 0 }

  function estimate(pages: number): PreviewSummary['estimate'] {
    if (fetches.pages === 0) return null
    const scale = pages / fetches.pages
    return {
      pages,
      seconds: Math.ceil((pages * fetches.ms) / fetches.count / 1000),
      bytes: Math.round(fetches.bytes * scale),
      fragments: Math.round(fetches.fragments * scale),
    }
  }

  function count(url: string, side: 'in' | 'out', by: 1 | -1): void {
    totals[side] += by
    const name = folderOf(url)
    const folder = folders.get(name) ?? { in: 0, out: 0 }
    folder[side] += by
    folders.set(name, folder)
  }

  const record: PreviewStats['record'] = ({ url, depth }, exclusion, { read, title = null }) => {
    const { reason = null, message = null } = exclusion ?? {}
    const isForeign = reason === 'other-host' && !isSameSite(url, site)
    const address = { address: url, in: !exclusion, reason, message, title, depth, other_site: isForeign, read }
    events.push({ kind: 'address', ...address })
    if (read) totals.read++
    if (isForeign) return
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    count(url, exclusion ? 'out' : 'in', 1)
  }

  return {
    record,
    amend(address, exclusion, title) {
      count(address.url, 'in', -1)
      totals.read--
      record(address, exclusion, { read: true, title })
    },
    recordFetch(durationMs) {
      fetches.count++
      fetches.ms += durationMs
    },
    recordPage(page) {
      if (!page) return
      fetches.pages++
      fetches.bytes += page.bytes
      fetches.fragments += page.fragments
    },
    takeEvents() {
      const taken = events
      events = []
      return taken
    },
    summary: (kind, { waiting, cut }) => ({
      kind,
      found: totals.in + totals.out + waiting,
      ...totals,
      reasons: [...reasons]
        .map(([reason, count]) => ({ reason, message: reasonText(reason), count }))
        .sort((first, second) => second.count - first.count),
      folders: [...folders]
        .map(([folder, counts]) => ({ folder, ...counts }))
        .sort(
          (first, second) => second.in + second.out - (first.in + first.out) || (first.folder < second.folder ? -1 : 1),
        )
        .slice(0, maxFolders),
      estimate: estimate(totals.in + waiting),
      cut,
    }),
  }
}

/** '/docs/' of '/docs/a/b'; '/' of a page without a folder. */
function folderOf(url: string): string {
  const [first = '', ...rest] = parseUrl(url)?.pathname.slice(1).split('/') ?? []
  return rest.length === 0 ? '/' : `/${first}/`
}
