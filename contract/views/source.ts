import { z } from 'zod'
import { sourceStatuses, sourceTypes } from '../enumerations'
import { fileTypes } from '../sources/file'
import { refreshIntervals } from '../sources/source-options'
import { count, id, reason, text, textOrNull, time } from './fields'
import { runReportSchema } from './run'

/** The file of a source of type file; its name is the source's `file_name`. */
export const fileViewSchema = z.strictObject({
  type: z.enum(fileTypes),
  bytes: count,
  sha256: text.length(64),
  uploaded_at: time,
  /** An uploaded file that replaces this one as soon as it is read. */
  replacement: z.strictObject({ name: text, bytes: count, uploaded_at: time }).nullable(),
})
export type FileView = z.infer<typeof fileViewSchema>

export const sourceViewSchema = z.strictObject({
  id,
  collection_id: id,
  organization_id: id,
  type: z.enum(sourceTypes),
  name: text,
  status: z.enum(sourceStatuses),
  /** Why the source has this status: a code and a sentence. */
  reason: reason.nullable(),
  message: textOrNull,
  url: textOrNull,
  /** Path and query of the page that a domain starts with; null where that is the front page. */
  start_path: textOrNull,
  file_name: textOrNull,
  /** Null for other types. */
  file: fileViewSchema.nullable(),
  refreshed_at: time.nullable(),
  /** The next scheduled refresh. */
  refresh_due_at: time.nullable(),
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
    /** Names only; values are never returned. */
    header_names: z.array(text),
  }),
  paused: z.boolean(),
  addresses: count,
  /** Fragments without a vector, which only keyword search finds. */
  pending_embeddings: count,
  /** Of the current run; `rate` is in addresses a second. Null without a run. */
  progress: z
    .strictObject({ done: count, total: count, rate: z.number(), seconds_left: count.nullable(), current: textOrNull })
    .nullable(),
  /** Of any kind, running or finished. */
  last_run: runReportSchema.nullable(),
  /** The last finished run that visited more than a single address. */
  last_full_run: runReportSchema.nullable(),
})
export type SourceView = z.infer<typeof sourceViewSchema>

/** A server-sent event of a source's progress: its name and its data. */
export const progressEventSchema = z.strictObject({ event: z.enum(['progress', 'done']), data: sourceViewSchema })
