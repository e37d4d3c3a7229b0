import { z } from 'zod'
import type { AddressStatus, SourceStatus, SourceType } from './enumerations'
import type { FileView } from './file-source'
import { lengths } from './limits'
import { type RefreshInterval, type SourceOptions, sourceOptionsSchema } from './source-options'
import { lineSchema, nameSchema } from './text'

const invalidUrl = 'Invalid url provided, you need to input a full address.'
const invalidDomain = 'Give the domain of the site, as in example.com.'

export const fullAddress = z
  .string(invalidUrl)
  .trim()
  .max(lengths.address, `An address can have at most ${lengths.address} characters`)
  .refine(isFullAddress, invalidUrl)

const name = lineSchema('Name', lengths.sourceName).optional().default('')

/** Those that are read from a site; the type file has a schema of its own. */
export const crawledSourceTypes = ['url', 'sitemap', 'domain'] as const

/** A status that is sent along is not looked at: a new source is processing. */
export const sourceSchema = z
  .object({
    name,
    type: z.enum(crawledSourceTypes, {
      error: ({ input }) =>
        input === 'file'
          ? 'A file is sent as multipart/form-data, in the field file'
          : 'Choose what to add: url, sitemap, domain or file',
    }),
    url: z.string(invalidUrl).trim(),
    ...sourceOptionsSchema.shape,
  })
  // A domain may be given bare: 'example.com' is https://example.com/, a host of one's own with a port is http.
  .transform((input) => ({ ...input, url: input.type === 'domain' ? withScheme(input.url) : input.url }))
  .superRefine(({ url, type }, context) => {
    for (const { message } of fullAddress.safeParse(url).error?.issues ?? []) {
      // A bare name has https in front by now; another protocol was written by the person.
      const isBare = type === 'domain' && /^https?:/i.test(url)
      const text = isBare && message === invalidUrl ? invalidDomain : message
      context.addIssue({ code: 'custom', message: text, path: ['url'] })
    }
  })
export type SourceInput = SourceOptions & { name: string; type: (typeof crawledSourceTypes)[number]; url: string }

/** The contract's {name}, and the options: what is left out stays. */
export const sourceEditSchema = z.object({
  name: nameSchema(lengths.sourceName).optional(),
  ...sourceOptionsSchema.shape,
})
export type SourceEdit = z.infer<typeof sourceEditSchema>

export const refreshSchema = z.object({
  crawl: z.boolean('crawl is true or false').optional().default(true),
  auto: z.boolean('auto is true or false').optional().default(false),
})

/** Number of addresses with one reason. `message` is its sentence. */
export interface ReasonCount {
  reason: string
  message: string
  count: number
}

/** What a run of a source did. */
export interface RunReport {
  id: string
  kind: 'full' | 'discover' | 'address'
  started_at: string
  finished_at: string | null
  /**
   * Addresses that the run visited, with those that robots.txt blocks and those that were indexed and that the options
   * exclude now. Each is one of unchanged, changed, new, withdrawn, failed and canonicalized.
   */
  checked: number
  fetched: number
  unchanged: number
  changed: number
  new: number
  withdrawn: number
  failed: number
  /** Addresses that another address stands for: duplicates, canonical pages, redirects, lists of pages. */
  canonicalized: number
  /** Addresses beyond the plan's URL limit. */
  ignored: number
  /** Of the pages and documents that were stored, unpacked; no measure of what was sent. */
  bytes: number
  /** New fragments. */
  fragments: number
  /** Fragments that got their vector so far; vectors follow behind the words. */
  embedded: number
  /** Visited addresses without a text of their own, by reason; the counts add up to `failed` and `canonicalized`. */
  rejected: ReasonCount[]
  /** Visited addresses that lost their text, by reason; the counts add up to `withdrawn`. */
  withdrawals: ReasonCount[]
  /** Known addresses that the run did not visit, by reason: excluded, or the run ended early. Empty until the run ends. */
  skipped: ReasonCount[]
  /** What the look for addresses met, a sitemap that could not be read for one; null when all went well. */
  problem: { reason: string; message: string } | null
  /** So far, or in all when it has ended. */
  duration_ms: number
  cancelled: boolean
}

export interface SourceView {
  id: string
  collection_id: string
  organization_id: string
  type: SourceType
  name: string
  status: SourceStatus
  /** Code and plain sentence of why the source is in this status, or null. */
  reason: string | null
  message: string | null
  url: string | null
  file_name: string | null
  /** Null for other types. */
  file: FileView | null
  refreshed_at: string | null
  /** When it is refreshed by itself; null while that is not planned. */
  refresh_due_at: string | null
  created_at: string
  created_by: string | null
  options: {
    include: string[]
    exclude: string[]
    include_selectors: string[]
    exclude_selectors: string[]
    max_pages: number | null
    max_depth: number | null
    refresh_interval: RefreshInterval
    crawl_delay_ms: number | null
    /** Names alone: values are never shown again. */
    header_names: string[]
  }
  paused: boolean
  addresses: number
  /** Fragments that have no vector yet: they are found by their words alone. */
  fragments_without_vector: number
  /** Of the run under way; null when the source is at rest. */
  progress: { done: number; total: number; rate: number; seconds_left: number | null; current: string | null } | null
  /** Of any kind, under way or over. */
  last_run: RunReport | null
  /** The last that is over and looked at more than a single address. */
  last_whole_run: RunReport | null
}

export interface AddressView {
  id: string
  url: string
  status: AddressStatus
  reason: string | null
  message: string | null
  http_status: number | null
  content_type: string | null
  bytes: number | null
  language: string | null
  depth: number
  discovered_from: string | null
  /** The address that is read in place of this one. */
  canonical_url: string | null
  meta_title: string | null
  meta_description: string | null
  fragments: number
  /** In a row. */
  failures: number
  ignored: boolean
  /** The last look that found a page, unchanged or not. */
  crawled_at: string | null
  /** When its body was last sent and read. */
  fetched_at: string | null
  /** When its text was last another one than before. */
  changed_at: string | null
  /** As the page or file says itself. */
  published_at: string | null
  modified_at: string | null
  /** When it is planned to be asked for again; null where it is not. */
  next_fetch_at: string | null
  updated_at: string
  created_at: string
  source_id: string
  collection_id: string
  organization_id: string
}

/**
 * One line of a preview's stream, as the data of an event of the same name. An address that was in and gives way to
 * another with the same text is told again: the last word counts.
 */
export type PreviewEvent =
  | {
      kind: 'address'
      address: string
      in: boolean
      /** Code and plain sentence; null for an address that is in. */
      reason: string | null
      message: string | null
      title: string | null
      depth: number
      /** Whether the page itself was read, or only its address judged. */
      read: boolean
    }
  | PreviewSummary

export interface PreviewSummary {
  kind: 'progress' | 'done'
  found: number
  in: number
  out: number
  read: number
  reasons: { reason: string; message: string; count: number }[]
  /** By first folder, largest first. */
  folders: { folder: string; in: number; out: number }[]
  /** Of a whole run; null until a page was read. */
  estimate: { pages: number; seconds: number; bytes: number; fragments: number } | null
  /** The preview ended at its own limit: there is more. */
  cut: boolean
}

/** 'example.com' is https://example.com, a host of one's own with a port is http. */
export function withScheme(url: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url
  const isOwn = /^(localhost|[\d.]+|\[[\da-f:]+\]|[^/:]+:(?!443(\/|$))\d+)(:\d+)?(\/|$)/i.test(url)
  return `${isOwn ? 'http' : 'https'}://${url}`
}

function isFullAddress(text: string): boolean {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  return url.username === '' && url.password === ''
}
