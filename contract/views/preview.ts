import { z } from 'zod'
import { count, reason, text, textOrNull } from './fields'

const summary = {
  found: count,
  in: count,
  out: count,
  read: count,
  reasons: z.array(z.strictObject({ reason, message: text.min(1), count })),
  /** By first folder, largest first. */
  folders: z.array(z.strictObject({ folder: text, in: count, out: count })),
  /** Of a full run; null until a page was read. */
  estimate: z.strictObject({ pages: count, seconds: count, bytes: count, fragments: count }).nullable(),
  /** The preview ended at its own limit: there is more. */
  cut: z.boolean(),
}

const previewAddressSchema = z.strictObject({
  kind: z.literal('address'),
  address: text.min(1),
  in: z.boolean(),
  /** Code and sentence; null for an address that would be indexed. */
  reason: reason.nullable(),
  message: textOrNull,
  title: textOrNull,
  depth: count,
  /** Whether the page itself was read, or only its address judged. */
  read: z.boolean(),
})

export const previewSummarySchema = z.strictObject({ kind: z.enum(['progress', 'done']), ...summary })
export type PreviewSummary = z.infer<typeof previewSummarySchema>

/**
 * The data of one event of a preview's stream; `kind` is the event's name. An address that turns out to duplicate
 * another one is sent again: the last event counts.
 */
export const previewEventSchema = z.discriminatedUnion('kind', [previewAddressSchema, previewSummarySchema])
export type PreviewEvent = z.infer<typeof previewEventSchema>

/** The text that would be indexed of a page. */
const pageReadingSchema = z.strictObject({
  words: count,
  fragments: z.array(z.strictObject({ headings: z.array(text), text, tokens: count })),
})
export type PageReading = z.infer<typeof pageReadingSchema>

/** A page without and with the selectors. */
export const pagePreviewViewSchema = z.strictObject({
  page: z.url(),
  title: text,
  before: pageReadingSchema,
  after: pageReadingSchema,
  /** Why the page would not be indexed; only the message if the selectors change nothing. */
  reason: reason.nullable(),
  message: textOrNull,
})
export type PagePreview = z.infer<typeof pagePreviewViewSchema>
