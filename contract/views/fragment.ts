import { z } from 'zod'
import { id, text } from './fields'

/** The contract's fragment, with what a citation needs. */
export const fragmentViewSchema = z.strictObject({
  id,
  /** The calibrated similarity. */
  score: z.number().min(0).max(1),
  url: z.url(),
  /** `url` with the nearest anchor. */
  link: z.url(),
  title: text,
  headings: z.array(text),
  content: text,
  /** Where members see its address in the dashboard; absent from answers that were stored without them. */
  address_id: id.optional(),
  collection_id: id.optional(),
})
export type FragmentView = z.infer<typeof fragmentViewSchema>
