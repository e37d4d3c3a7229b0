import type { Logger } from 'pino'
import { DatabaseUnavailableError, StorageFullError } from '../../../../db/errors'
import { followsLinks } from '../../../engine/crawl/discover/discover'
import { withCookies } from '../../../engine/crawl/fetch/cookies'
import { fetchPage } from '../../../engine/crawl/fetch/fetch-page'
import { type PageOutcome, refused } from '../../../engine/crawl/fetch/page-outcome'
import type { FetchPageDeps, PageRequest } from '../../../engine/crawl/fetch/page-request'
import { extractorVersion } from '../../../engine/ingest/extractor-version'
import type { Sealer } from '../../../sealing'
import { boilerplateOf } from '../../runs/boilerplate'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { accessOf } from '../../source-rows/source-settings'
import { countRedirectsTo, isKnown } from './canonicals'

export interface FetchAddressDeps {
  engine: FetchPageDeps
  sealer: Sealer
  log: Pick<Logger, 'error'>
}

/** Older pages are fetched unconditionally, in case a server answers 'unchanged' without checking. */
const maxConditionalAgeMs = 30 * 24 * 3600 * 1000
const currentExtractors = new Set<string | null>(Object.values(extractorVersion))

/** Fetches one address of a run. Rejects when `signal` aborts, and with failures of this machine. */
export async function fetchAddress(
  deps: FetchAddressDeps,
  run: RunContext,
  address: AddressRow,
  signal: AbortSignal,
): Promise<PageOutcome> {
  return fetchSafely(deps, pageRequest(deps, run, address), signal)
}

/** Credentials and cookies for the site of an address. */
export function accessTo({ sealer }: Pick<FetchAddressDeps, 'sealer'>, { source, cookies }: RunContext, url: string) {
  return withCookies(accessOf(source, sealer), source.url ?? url, cookies)
}

function pageRequest(deps: FetchAddressDeps, run: RunContext, address: AddressRow): PageRequest {
  const { source } = run
  const isConditional = mayBeUnchanged(address)
  return {
    url: address.url,
    etag: isConditional ? address.etag : null,
    lastModified: isConditional ? address.lastModified : null,
    followLinks: followsLinks(source.type),
    fallbackLanguage: address.language ?? '',
    site: source.type === 'url' ? null : source.url,
    isKnown: (url) => isKnown(run.db.read, run, url),
    countRedirectsTo: (url) => countRedirectsTo(run.db.read, address, url),
    access: accessTo(deps, run, address.url),
    crawlDelayMs: source.crawlDelayMs ?? undefined,
    selectors: { include: source.includeSelectors, exclude: source.excludeSelectors },
    boilerplate: boilerplateOf(run.boilerplate, address.id),
  }
}

/** A fault of ours on one page does not end the run; a failure of this machine does, because it is not the page's. */
async function fetchSafely(
  { engine, log }: FetchAddressDeps,
  request: PageRequest,
  signal: AbortSignal,
): Promise<PageOutcome> {
  try {
    const outcome = await fetchPage(engine, request, signal)
    if (signal.aborted && outcome.kind === 'document') await outcome.download?.remove()
    // The outcome of an interrupted fetch says nothing about the page.
    signal.throwIfAborted()
    return outcome
  } catch (error) {
    signal.throwIfAborted()
    if (isOfMachine(error)) throw error
    log.error({ err: error, address: request.url }, 'A page could not be read.')
    return refused('extraction-failed')
  }
}

function isOfMachine(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || error instanceof StorageFullError) return true
  return error instanceof Error && 'syscall' in error
}

/** False where the sitemap, the age or the extractor version call for an unconditional request. */
function mayBeUnchanged(address: AddressRow): boolean {
  const { fetchedAt, crawledAt, sitemapModified, unavailableAfter } = address
  if (!currentExtractors.has(address.extractorVersion)) return false
  if (!fetchedAt || !crawledAt || Date.now() - fetchedAt.getTime() > maxConditionalAgeMs) return false
  if (unavailableAfter && unavailableAfter.getTime() < Date.now()) return false
  const modifiedAt = Date.parse(sitemapModified ?? '')
  return !(modifiedAt > crawledAt.getTime())
}
