import type { SourceOptions } from '../../../contract/sources/source-options'
import type { RefreshInterval } from '../../../contract/values/enumerations'
import type { sources } from '../../../db/schema/collections'
import { isSelector } from '../../engine/html/dom/selectors'
import type { SiteAccess } from '../../engine/ports/fetcher'
import { AppError } from '../../errors'
import type { Sealer } from '../../sealing'

export type SourceRow = typeof sources.$inferSelect

/** Whether the source is one page or one file, which nothing else can duplicate or push out. */
export function isSinglePage({ type }: Pick<SourceRow, 'type'>): boolean {
  return type === 'file' || type === 'url'
}
type Settings = Partial<typeof sources.$inferInsert>

const dayMs = 24 * 3600 * 1000
const intervalMs: Record<RefreshInterval, number | null> = {
  never: null,
  daily: dayMs,
  weekly: 7 * dayMs,
  monthly: 30 * dayMs,
}

/** The columns that the options change; omitted options stay. New credentials and headers replace the stored ones. */
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
    settings.sealedHeaders = headers && sealer.seal(JSON.stringify(headers), sealingContext(stored.id))
  return settings
}

/** Throws invalid_input with the field and the invalid selector. */
export function assertSelectors(options: Pick<SourceOptions, 'include_selectors' | 'exclude_selectors'>): void {
  const fields: Record<string, string[]> = {}
  for (const name of ['include_selectors', 'exclude_selectors'] as const) {
    const wrong = options[name]?.find((selector) => !isSelector(selector))
    if (wrong !== undefined) fields[name] = [`"${wrong}" is not a CSS selector. Write one such as main or .article p`]
  }
  const [message] = Object.values(fields).flat()
  if (message !== undefined) throw new AppError('invalid_input', message, { details: { fields } })
}

/** Undefined keeps the stored headers; null removes them. */
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
  return Object.fromEntries(Object.entries(headers).filter(([otherText]) => otherText.toLowerCase() !== name))
}

/** The credentials of the source's site; null without any. Throws unavailable if they cannot be decrypted. */
export function accessOf(source: Pick<SourceRow, 'id' | 'url' | 'sealedHeaders'>, sealer: Sealer): SiteAccess | null {
  if (source.url === null || source.sealedHeaders === null) return null
  return { origin: new URL(source.url).origin, headers: openHeaders(source, sealer) }
}

/** For a preview of other options of a stored source. */
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

/** Names of the stored headers; empty if they cannot be decrypted. */
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
  return sealedHeaders === null ? {} : JSON.parse(sealer.open(sealedHeaders, sealingContext(id)))
}

function sealingContext(id: string): string {
  return `${id}:sources.sealed_headers`
}

/** When the next planned run is due; varies by 5 % so that the sources of a server are not due at once. Null for never. */
export function nextRefresh(interval: RefreshInterval, from = new Date(), random = Math.random): Date | null {
  const ms = intervalMs[interval]
  return ms === null ? null : new Date(from.getTime() + ms * (0.95 + random() / 10))
}

/** The same for a source that waits for the crawls of the next month: within the first tenth of its interval. */
export function nextMonthRefresh(interval: RefreshInterval, now = new Date(), random = Math.random): Date | null {
  const ms = intervalMs[interval]
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  return ms === null ? null : new Date(nextMonth + (ms * random()) / 10)
}
