import { z } from 'zod'
import type { AddressStatus, SourceStatus, SourceType } from './enumerations'
import { lengths } from './limits'

const invalidUrl = 'Invalid url provided, you need to input a full address.'

const fullAddress = z
  .string(invalidUrl)
  .trim()
  .max(lengths.address, `An address can have at most ${lengths.address} characters`)
  .refine(isFullAddress, invalidUrl)

const name = z
  .string()
  .trim()
  .max(lengths.sourceName, `Name can have at most ${lengths.sourceName} characters`)
  .optional()
  .default('')

/** Source type file comes with uploads. */
export const crawledSourceTypes = ['url', 'sitemap', 'domain'] as const

export const sourceSchema = z
  .object({
    name,
    type: z.enum(crawledSourceTypes, 'Choose what to add: url, sitemap or domain'),
    url: z.string(invalidUrl).trim().min(1, invalidUrl),
  })
  // A domain may be given bare: 'example.com' is https://example.com/, a host of one's own with a port is http.
  .transform((input) => ({ ...input, url: input.type === 'domain' ? withScheme(input.url) : input.url }))
  .pipe(z.object({ name: z.string(), type: z.enum(crawledSourceTypes), url: fullAddress }))
export type SourceInput = z.infer<typeof sourceSchema>

export const sourceRenameSchema = z.object({
  name: z
    .string('Name is required')
    .trim()
    .min(1, 'Name is required')
    .max(lengths.sourceName, `Name can have at most ${lengths.sourceName} characters`),
})

export const refreshSchema = z.object({
  crawl: z.boolean().optional().default(true),
  auto: z.boolean().optional().default(false),
})

/** What a run of a source did. */
export interface RunReport {
  id: string
  started_at: string
  finished_at: string | null
  checked: number
  fetched: number
  unchanged: number
  changed: number
  new: number
  withdrawn: number
  failed: number
  /** Addresses left out over the plan's URL limit. */
  ignored: number
  bytes: number
  fragments: number
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
  refreshed_at: string | null
  created_at: string
  created_by: string | null
  addresses: number
  /** Of the run under way; null when the source is at rest. */
  progress: { done: number; total: number; rate: number; seconds_left: number | null; current: string | null } | null
  last_run: RunReport | null
}

export interface AddressView {
  id: string
  url: string
  status: AddressStatus
  reason: string | null
  message: string | null
  http_status: number | null
  meta_title: string | null
  meta_description: string | null
  fragments: number
  crawled_at: string | null
  updated_at: string
  created_at: string
  source_id: string
  collection_id: string
  organization_id: string
}

function withScheme(url: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url
  const isOwn = /^(localhost|[\d.]+|\[[\da-f:]+\]|[^/:]+:(?!443(\/|$))\d+)(:\d+)?(\/|$)/i.test(url)
  return `${isOwn ? 'http' : 'https'}://${url}`
}

function isFullAddress(text: string): boolean {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  return url.username === '' && url.password === ''
}
