import type { RefreshInterval, SourceOptions } from '../../../contract/source-options'
import type { sources } from '../../../db/schema/collections'
import { isSelector } from '../../engine/html/dom/selectors'
import type { SiteAccess } from '../../engine/ports'
import { AppError } from '../../errors'
import type { Sealer } from '../../sealing'

export type SourceRow = typeof sources.$inferSelect
type Settings = Partial<typeof sources.$inferInsert>

const day = 24 * 3600 * 1000
const intervals: Record<RefreshInterval, number | null> = {
  never: null,
  daily: day,
  weekly: 7 * day,
  monthly: 30 * day,
}

/**
 * The columns that the options change; what is left out of them stays. A new user name and password, and new headers,
 * replace those stored before.
 */
export function settingsOf(options: SourceOptions, sealer: Sealer, stored: Pick<SourceRow, 'id' | 'sealedHeaders'>) {
  const settings: Settings = {}
  if (options.include) settings.include = options.include
  if (options.exclude) settings.exclude = options.exclude
  assertSelectors(options)
  if (options.include_selectors) settings.includeSelectors = options.include_selectors
  if (options.exclude_selectors) settings.excludeSelectors = options.exclude_selectors
  if (options.max_pages !== undefined) settings.maxPages = options.max_pages
  if (options.max_depth !== undefined) settings.maxDepth = options.max_depth
  if (options.crawl_delay_ms !== undefined) settings.crawlDelayMs = options.crawl_delay_ms
  if (options.refresh_interval) settings.refreshInterval = options.refresh_interval
  const headers = headersAfter(options, () => openHeaders(stored, sealer))
  if (headers !== undefined)
    settings.sealedHeaders = headers && sealer.seal(JSON.stringify(headers), placeOf(stored.id))
  return settings
}

/** Throws invalid_input that names the field and the selector that is none. */
export function assertSelectors(options: Pick<SourceOptions, 'include_selectors' | 'exclude_selectors'>): void {
  const fields: Record<string, string[]> = {}
  for (const name of ['include_selectors', 'exclude_selectors'] as const) {
    const wrong = options[name]?.find((selector) => !isSelector(selector))
    if (wrong !== undefined) fields[name] = [`"${wrong}" is no CSS selector, as in main or .article p`]
  }
  const [message] = Object.values(fields).flat()
  if (message !== undefined) throw new AppError('invalid_input', message, { details: { fields } })
}

/** Undefined: they stay as they are. Null: there are none from now on. */
function headersAfter(
  { headers, username, password, clear_headers: clear }: SourceOptions,
  stored: () => Record<string, string>,
): Record<string, string> | null | undefined {
  const signsIn = Boolean(username || password)
  if (!clear && headers === undefined && !signsIn) return undefined
  const before = clear ? {} : (headers ?? stored())
  const basic = `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`
  const after = signsIn ? { ...without(before, 'authorization'), Authorization: basic } : before
  return Object.keys(after).length > 0 ? after : null
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other.toLowerCase() !== name))
}

/** What opens the source's own site; null where nothing is needed. Throws unavailable where it cannot be opened. */
export function accessOf(source: Pick<SourceRow, 'id' | 'url' | 'sealedHeaders'>, sealer: Sealer): SiteAccess | null {
  if (source.url === null || source.sealedHeaders === null) return null
  return { origin: new URL(source.url).origin, headers: openHeaders(source, sealer) }
}

/** For a preview of other options, where nothing is stored: what they leave out is as it is. */
export function accessAfter(
  options: SourceOptions,
  source: Pick<SourceRow, 'id' | 'sealedHeaders'> & { url: string },
  sealer: Sealer,
): SiteAccess | null {
  const headers = headersAfter(options, () => openHeaders(source, sealer))
  if (headers === undefined) return accessOf(source, sealer)
  return headers && { origin: new URL(source.url).origin, headers }
}

/** For a preview of a new source. */
export function accessWith(url: string, options: SourceOptions): SiteAccess | null {
  const headers = headersAfter(options, () => ({}))
  return headers ? { origin: new URL(url).origin, headers } : null
}

/** Names alone; none where they cannot be opened any more. */
export function headerNames(source: Pick<SourceRow, 'id' | 'sealedHeaders'>, sealer: Sealer): string[] {
  try {
    return Object.keys(openHeaders(source, sealer))
  } catch {
    return []
  }
}

function openHeaders(
  { id, sealedHeaders }: Pick<SourceRow, 'id' | 'sealedHeaders'>,
  sealer: Sealer,
): Record<string, string> {
  return sealedHeaders === null ? {} : JSON.parse(sealer.open(sealedHeaders, placeOf(id)))
}

function placeOf(id: string): string {
  return `${id}:sources.sealed_headers`
}

/** When the source is refreshed by itself, spread by a tenth so that not all of a server's sources are due at once. */
export function nextRefresh(interval: RefreshInterval, from = new Date(), random = Math.random): Date | null {
  const ms = intervals[interval]
  return ms === null ? null : new Date(from.getTime() + ms * (0.95 + random() / 10))
}

/** The same for a source that has to wait for the crawls of the next month: within a tenth of its interval from then. */
export function nextMonthRefresh(interval: RefreshInterval, now = new Date(), random = Math.random): Date | null {
  const ms = intervals[interval]
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  return ms === null ? null : new Date(nextMonth + (ms * random()) / 10)
}
