import { z } from 'zod'
import { fileTypes } from '../sources/file'
import { refreshIntervals, sourceStatuses, sourceTypes } from '../values/enumerations'
import { count, id, reason, text, textOrNull, time } from './fields'
import { runReportSchema } from './run'

/** The file of a source of type file; its name is the source's `file_name`. */
export const fileViewSchema = z.strictObject({
  type: z.enum(fileTypes),
  bytes: count,
  sha256: text.length(64),
  uploaded_at: time,
  replacement: z
    .strictObject({ name: text, bytes: count, uploaded_at: time })
    .nullable()
    .describe('An uploaded file that replaces this one once it has been read.'),
})
export type FileView = z.infer<typeof fileViewSchema>

export const sourceViewSchema = z.strictObject({
  id,
  collection_id: id,
  organization_id: id,
  type: z.enum(sourceTypes),
  name: text,
  status: z.enum(sourceStatuses),
  reason: reason.nullable().describe('Why the source has this status.'),
  message: textOrNull.describe('The sentence of the reason.'),
  url: textOrNull,
  start_path: textOrNull.describe(
    'Path and query of the page that a domain starts with; null if that is the front page.',
  ),
  file_name: textOrNull,
  file: fileViewSchema.nullable().describe('Null for sources of other types.'),
  refreshed_at: time.nullable(),
  refresh_due_at: time.nullable().describe('The next scheduled refresh.'),
  created_at: time,
  created_by: id.nullable(),
  options: z.strictObject({
    include: z.array(text),
    exclude: z.array(text),
    include_selectors: z.array(text),
    exclude_selectors: z.array(text),
    max_pages: count.nullable(),
    max_depth: count.nullable(),
    refresh_interval: z.enum(refreshIntervals),
    crawl_delay_ms: count.nullable(),
    header_names: z.array(text).describe('Names only; values are never returned.'),
  }),
  paused: z.boolean(),
  addresses: count.describe('URLs that count toward the limits of the plan and of the source: indexed or queued.'),
  pending_embeddings: count.describe('Fragments without an embedding, which only keyword search finds.'),
  progress: z
    .strictObject({ done: count, total: count, rate: z.number(), seconds_left: count.nullable(), current: textOrNull })
    .nullable()
    .describe('The current run; `rate` is in addresses a second. Null without a run.'),
  indexing: z
    .strictObject({
      done: count,
      total: count,
      rate: z.number(),
      seconds_left: count.nullable(),
      paused: z.boolean(),
    })
    .nullable()
    .describe('The semantic index; `rate` is in fragments a second. Null once every fragment has an embedding.'),
  last_run: runReportSchema.nullable().describe('The latest run of any kind, running or finished.'),
  last_full_run: runReportSchema
    .nullable()
    .describe('The latest finished run that covered more than a single address.'),
})
export type SourceView = z.infer<typeof sourceViewSchema>
