import { z } from 'zod'
import { fullAddress } from './source'
import { sourceOptionsSchema } from './source-options'

/** One page to try selectors on; with the id of a source, what opens that source's site is used. */
export const pagePreviewSchema = z.object({
  page: fullAddress,
  source_id: z.string('source_id is the id of a source').max(64).optional(),
  ...sourceOptionsSchema.shape,
})
export type PagePreviewInput = z.infer<typeof pagePreviewSchema>

/** What would be kept of a page. */
export interface PageReading {
  words: number
  fragments: { headings: string[]; text: string; tokens: number }[]
}

/** A page without and with the selectors. */
export interface PagePreview {
  page: string
  title: string
  before: PageReading
  after: PageReading
  /** Code and plain sentence of why the page is not in as it is, or null; the sentence alone where nothing changes. */
  reason: string | null
  message: string | null
}
