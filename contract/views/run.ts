import { z } from 'zod'
import { sourceStatuses } from '../enumerations'
import { count, id, reason, text, time } from './fields'

/** How many addresses have a reason, with its sentence. */
export const reasonCountSchema = z.strictObject({ reason, message: text.min(1), count })
export type ReasonCount = z.infer<typeof reasonCountSchema>

/** What a run of a source did. */
export const runReportSchema = z.strictObject({
  id,
  kind: z.enum(['full', 'discover', 'address']),
  started_at: time,
  finished_at: time.nullable(),
  /**
   * Addresses that the run visited, with those that robots.txt blocks and those that were indexed and that the options
   * exclude now. Each is one of unchanged, changed, new, withdrawn, failed and canonicalized.
   */
  checked: count,
  fetched: count,
  unchanged: count,
  changed: count,
  new: count,
  withdrawn: count,
  failed: count,
  /** Addresses for which another one is indexed: duplicates, canonical pages, redirects, lists of pages. */
  canonicalized: count,
  /** Addresses beyond the plan's URL limit. */
  ignored: count,
  /** Decompressed size of the pages and documents that were stored. */
  bytes: count,
  /** New fragments. */
  fragments: count,
  /** Fragments that have their vector so far. */
  embedded: count,
  /** Visited addresses without a text of their own, by reason; the counts add up to `failed` and `canonicalized`. */
  rejected: z.array(reasonCountSchema),
  /** Visited addresses that lost their text, by reason; the counts add up to `withdrawn`. */
  withdrawals: z.array(reasonCountSchema),
  /** Known addresses that the run did not visit, by reason: excluded, or the run ended early. Empty until the run ends. */
  skipped: z.array(reasonCountSchema),
  /** The first failure of discovery, such as an unreadable sitemap; null when there was none. */
  problem: z.strictObject({ reason, message: text.min(1) }).nullable(),
  /** So far, or in all when the run has ended. */
  duration_ms: count,
  cancelled: z.boolean(),
})
export type RunReport = z.infer<typeof runReportSchema>

/** The contract's answer to a refresh. */
export const refreshViewSchema = z.strictObject({
  /** False if no run was started, or the site could not be read. */
  success: z.boolean(),
  /** Addresses of the run that are discovered so far. */
  count,
  /** Addresses beyond the limit of the plan. */
  ignored: count,
  /** The crawls of the month are used up. */
  crawlLimit: z.boolean(),
  status: z.enum(sourceStatuses),
})
export type RefreshView = z.infer<typeof refreshViewSchema>
