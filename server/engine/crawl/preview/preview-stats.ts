import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { PreviewEvent, PreviewSummary } from '../../../../contract/views/preview'

export interface Verdict {
  reason: ReasonCode
  message: string
}

export interface Told {
  address: string
  depth: number
}

/** What a page takes that would be in. */
export interface PageSize {
  bytes: number
  fragments: number
}

/** Collects what a preview tells, counts it, and estimates a whole run from the pages that were read. */
export interface PreviewTally {
  /** `verdict`: why the address is out; null when it is in. `page`: null when only its address was judged. */
  tell(address: Told, verdict: Verdict | null, page: { read: boolean; title?: string | null }): void
  /** A page that was read and told as in is out after all: it is told again. */
  tellAgain(address: Told, verdict: Verdict, title: string | null): void
  /** A visit has ended after so many milliseconds; null when it gave no page to keep. */
  visited(tookMs: number, page: PageSize | null): void
  /** Hands over what was told since the last time. */
  take(): PreviewEvent[]
  /** `waiting`: addresses that may be in and are not told yet. */
  summary(kind: PreviewSummary['kind'], state: { waiting: number; cut: boolean }): PreviewSummary
}

/** Folders that are named; the others are counted in the sums alone. */
const namedFolders = 50

export function createPreviewTally(): PreviewTally {
  let events: PreviewEvent[] = []
  const reasons = new Map<ReasonCode, number>()
  const folders = new Map<string, { in: number; out: number }>()
  const told = { in: 0, out: 0, read: 0 }
  const visits = { count: 0, ms: 0, pages: 0, bytes: 0, fragments: 0 }

  function estimate(pages: number): PreviewSummary['estimate'] {
    if (visits.pages === 0) return null
    const share = pages / visits.pages
    return {
      pages,
      seconds: Math.ceil((pages * visits.ms) / visits.count / 1000),
      bytes: Math.round(visits.bytes * share),
      fragments: Math.round(visits.fragments * share),
    }
  }

  function count(address: string, side: 'in' | 'out', by: 1 | -1): void {
    told[side] += by
    const name = folderOf(address)
    const folder = folders.get(name) ?? { in: 0, out: 0 }
    folder[side] += by
    folders.set(name, folder)
  }

  const tell: PreviewTally['tell'] = ({ address, depth }, verdict, { read, title = null }) => {
    const { reason = null, message = null } = verdict ?? {}
    events.push({ kind: 'address', address, in: !verdict, reason, message, title, depth, read })
    if (read) told.read++
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    count(address, verdict ? 'out' : 'in', 1)
  }

  return {
    tell,
    tellAgain(address, verdict, title) {
      count(address.address, 'in', -1)
      told.read--
      tell(address, verdict, { read: true, title })
    },
    visited(tookMs, page) {
      visits.count++
      visits.ms += tookMs
      if (!page) return
      visits.pages++
      visits.bytes += page.bytes
      visits.fragments += page.fragments
    },
    take() {
      const taken = events
      events = []
      return taken
    },
    summary: (kind, { waiting, cut }) => ({
      kind,
      found: told.in + told.out + waiting,
      ...told,
      reasons: [...reasons]
        .map(([reason, count]) => ({ reason, message: reasonText(reason), count }))
        .sort((one, other) => other.count - one.count),
      folders: [...folders]
        .map(([folder, counts]) => ({ folder, ...counts }))
        .sort((one, other) => other.in + other.out - (one.in + one.out) || (one.folder < other.folder ? -1 : 1))
        .slice(0, namedFolders),
      estimate: estimate(told.in + waiting),
      cut,
    }),
  }
}

/** '/docs/' of '/docs/a/b', and '/' of what has no folder. */
function folderOf(address: string): string {
  if (!URL.canParse(address)) return '/'
  const [first = '', ...rest] = new URL(address).pathname.slice(1).split('/')
  return rest.length === 0 ? '/' : `/${first}/`
}
