import { z } from 'zod'
import { count, reason, text, textOrNull } from './fields'

const summary = {
  found: count,
  in: count,
  out: count,
  read: count,
  reasons: z.array(z.strictObject({ reason, message: text.min(1), count })),
  folders: z.array(z.strictObject({ folder: text, in: count, out: count })).describe('By first folder, largest first.'),
  estimate: z
    .strictObject({ pages: count, seconds: count, bytes: count, fragments: count })
    .nullable()
    .describe('For a full run; null until the first page has been read.'),
  cut: z.boolean().describe('Whether the preview ended at its limit, before it had seen everything.'),
}

const previewAddressSchema = z.strictObject({
  kind: z.literal('address'),
  address: text.min(1),
  in: z.boolean(),
  reason: reason.nullable().describe('Null for an address that would be indexed.'),
  message: textOrNull.describe('The sentence of the reason.'),
  title: textOrNull,
  depth: count,
  other_site: z.boolean().describe('Whether it is on another site. The summary counts such addresses by reason only.'),
  read: z.boolean().describe('Whether the page was fetched. Otherwise only its address was checked.'),
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
  reason: reason.nullable().describe('Why the page would not be indexed.'),
  message: textOrNull.describe('The sentence of the reason, or that the selectors change nothing.'),
})
export type PagePreview = z.infer<typeof pagePreviewViewSchema>
