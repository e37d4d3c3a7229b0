import { z } from 'zod'
import { sourceStatuses } from '../values/enumerations'
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
  checked: count.describe(
    'Addresses that the run visited, that robots.txt blocks, or that were indexed and are now excluded by the options. Each counts as one of unchanged, changed, new, withdrawn, failed and canonicalized.',
  ),
  fetched: count,
  unchanged: count,
  changed: count,
  new: count,
  withdrawn: count,
  failed: count,
  canonicalized: count.describe(
    'Addresses that another one replaces: duplicates, pages with another canonical address, redirects, lists of pages.',
  ),
  ignored: count.describe("Addresses beyond the plan's URL limit."),
  bytes: count.describe('Decompressed size of the pages and documents that were stored.'),
  fragments: count.describe('New fragments.'),
  embedded: count.describe('Fragments with an embedding so far.'),
  rejected: z
    .array(reasonCountSchema)
    .describe(
      'Visited addresses without a text of their own, by reason; the counts add up to `failed` and `canonicalized`.',
    ),
  withdrawals: z
    .array(reasonCountSchema)
    .describe('Visited addresses that lost their text, by reason; the counts add up to `withdrawn`.'),
  skipped: z
    .array(reasonCountSchema)
    .describe(
      'Known addresses that the run did not visit, by reason: excluded, or the run ended early. Empty until the run ends.',
    ),
  problem: z
    .strictObject({ reason, message: text.min(1) })
    .nullable()
    .describe('The first failure of discovery, such as an unreadable sitemap; null without one.'),
  duration_ms: count.describe('Until now, or until the end of the run.'),
  cancelled: z.boolean(),
})
export type RunReport = z.infer<typeof runReportSchema>

/** The contract's answer to a refresh. */
export const refreshViewSchema = z.strictObject({
  success: z.boolean().describe('False if no run started, or the site could not be read.'),
  count: count.describe('Addresses discovered so far.'),
  ignored: count.describe('Addresses beyond the limit of the plan.'),
  crawlLimit: z.boolean().describe('Whether the crawls of the month are used up.'),
  status: z.enum(sourceStatuses),
})
export type RefreshView = z.infer<typeof refreshViewSchema>
