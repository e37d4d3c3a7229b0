import { withAddress } from '../../../../contract/reasons'
import { detectLanguage } from '../../language/detect-language'
import { crawlLimits } from '../../limits'
import { followsLinks } from '../discover/discover'
import { fetchPage } from '../fetch/fetch-page'
import type { FetchedPage, PageOutcome } from '../fetch/page-outcome'
import type { FetchPageDeps } from '../fetch/page-request'
import { startLanguage } from '../urls/main-language'
import { isPreferred } from '../urls/preferred-url'
import type { PageVersion } from '../urls/url-language'
import { type Candidate, exclusionFor, type PreviewQueue, type PreviewQueueDeps } from './preview-queue'
import type { Exclusion, PageSize } from './preview-stats'

export interface PreviewReader {
  /**
   * Fetches a page, records it, and queues its links. The canonical page that it names is read first. A page is recorded
   * again when a later page with the same text replaces it.
   */
  read(candidate: Candidate): Promise<void>
}

export function createPreviewReader({
  deps,
  request,
  stats,
  deadline,
  queue,
}: PreviewQueueDeps & { deps: FetchPageDeps; queue: PreviewQueue }): PreviewReader {
  const { type, access, crawlDelayMs } = request
  const site = type === 'url' ? null : request.url
  /** Pages whose canonical page is being read. */
  const pending = new Set<string>()
  /** Where pages lead that have no text of their own; null for nowhere. */
  const targets = new Map<string, string | null>()
  /** Included pages by text hash. */
  const owners = new Map<string, PageVersion & { candidate: Candidate; title: string | null }>()
  /** Languages of fetched pages by URL. */
  const languages = new Map<string, string>()

  async function read(candidate: Candidate): Promise<void> {
    const { url, depth, isLinksOnly } = candidate
    const outcome = await fetchInPlace(candidate)
    if (outcome === null) return queue.skip(candidate)
    if (outcome.kind === 'fetched') languages.set(url, outcome.document.language)
    const exclusion = isLinksOnly ? exclusionFor('excluded') : await exclusionOf(outcome, candidate)
    if (exclusion) queue.release(candidate)
    if (outcome.kind !== 'fetched' && outcome.kind !== 'document') targets.set(url, targetOf(outcome))
    stats.record(candidate, exclusion, { read: true, title: titleOf(outcome) })
    if (outcome.kind === 'moved' && outcome.to !== null) await queue.add(outcome.to, depth)
    if ('excludedLinks' in outcome) {
      for (const { url: link, reason } of outcome.excludedLinks) {
        // Links to images and the like, which a run does not list either.
        if (reason !== 'not-html') await queue.add(link, depth + 1, exclusionFor(reason, link))
      }
    }
    if ('links' in outcome) {
      for (const link of outcome.links) await queue.add(link, depth + 1)
    }
    // All later pages would have to wait, too.
    if (outcome.kind === 'refused' && (outcome.retryAfterMs ?? 0) > crawlLimits.maxHostWaitMs) deadline.stop()
  }

  /** Follows a canonical URL only where it is a page and does not lead back. */
  async function fetchInPlace({ url, depth }: Candidate): Promise<PageOutcome | null> {
    const outcome = await fetchAt(url)
    if (outcome?.kind !== 'alias') return outcome
    const { canonical, itself } = outcome
    pending.add(url)
    await queue.add(canonical, depth)
    const candidate = queue.takeOut(canonical)
    if (candidate) await read(candidate)
    pending.delete(url)
    const target = targets.get(canonical)
    const mustStay = pending.has(canonical) || target === null || target === url
    if (!mustStay) return outcome
    stats.recordPage(sizeOf(itself))
    return itself
  }

  /** Null when the time is over. */
  async function fetchAt(url: string): Promise<PageOutcome | null> {
    if (deadline.isOver()) return null
    const startedAt = performance.now()
    // The contacts of a site are stored once, so they do not count on each page.
    const boilerplate = { repeated: new Set<string>(), retained: new Set<string>(), isEntryPage: type === 'url' }
    const page = { url, followLinks: followsLinks(type), site, access, crawlDelayMs, boilerplate }
    try {
      const outcome = await fetchPage(deps, page, deadline.signal)
      stats.recordFetch(performance.now() - startedAt)
      stats.recordPage(sizeOf(outcome))
      return outcome
    } catch (error) {
      if (deadline.isOver()) return null
      throw error
    }
  }

  async function exclusionOf(outcome: PageOutcome, candidate: Candidate): Promise<Exclusion | null> {
    switch (outcome.kind) {
      case 'unchanged':
      case 'document':
        return null
      case 'moved':
        return { reason: outcome.reason, message: withAddress(outcome.reason, outcome.to) }
      case 'alias':
        return { reason: 'canonical', message: withAddress('canonical', outcome.canonical) }
      case 'fetched':
        return duplicateExclusion(outcome, candidate)
      default:
        return { reason: outcome.reason, message: outcome.message }
    }
  }

  /** Decides which of several pages with the same text is included: by language and URL, as in a run. */
  async function duplicateExclusion(page: FetchedPage, candidate: Candidate): Promise<Exclusion | null> {
    const owner = owners.get(page.textHash)
    const { language } = page.document
    const version = { url: candidate.url, language }
    if (owner && isPreferred(owner, version, await mainLanguage(page))) return duplicateOf(owner.candidate)
    owners.set(page.textHash, { ...version, candidate, title: titleOf(page) })
    if (owner) {
      queue.release(owner.candidate)
      stats.amend(owner.candidate, duplicateOf(candidate), owner.title)
    }
    return null
  }

  /** Returns the language of the page that the source starts with, else of the text itself. */
  async function mainLanguage({ fragments }: FetchedPage): Promise<string> {
    const started = await startLanguage(request, async (url) => {
      const [language, movedTo] = [languages.get(url) ?? null, targets.get(url) ?? null]
      return language === null && movedTo === null ? null : { url, language, movedTo }
    })
    return started || detectLanguage(fragments.map(({ text }) => text))
  }

  return { read }
}

/** Where a page without a text of its own leads; null for nowhere. */
function targetOf(outcome: PageOutcome): string | null {
  if (outcome.kind === 'alias') return outcome.canonical
  return outcome.kind === 'moved' ? outcome.to : null
}

function titleOf(outcome: PageOutcome): string | null {
  if (outcome.kind === 'document') return outcome.name
  return outcome.kind === 'fetched' ? outcome.document.title || null : null
}

function sizeOf(outcome: PageOutcome): PageSize | null {
  if (outcome.kind !== 'fetched') return null
  return { bytes: outcome.bytes, fragments: outcome.fragments.length }
}

function duplicateOf({ url }: Candidate): Exclusion {
  return { reason: 'duplicate', message: withAddress('duplicate', url) }
}
