import { z } from 'zod'
import { fullAddress } from './source'
import { sourceOptionsSchema } from './source-options'

/** A page on which to try selectors; with the id of a source, that source's credentials are used. */
export const pagePreviewSchema = z.object({
  page: fullAddress,
  source_id: z.string('source_id is the id of a source').max(64).optional(),
  ...sourceOptionsSchema.shape,
})
export type PagePreviewInput = z.infer<typeof pagePreviewSchema>
