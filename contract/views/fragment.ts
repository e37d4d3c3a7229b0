import { z } from 'zod'
import { id, text } from './fields'

/** The contract's fragment, with what a citation needs. */
export const fragmentViewSchema = z.strictObject({
  id,
  score: z.number().min(0).max(1).describe('The calibrated similarity.'),
  url: z.url(),
  link: z.url().describe('`url` with the nearest anchor.'),
  title: text,
  headings: z.array(text),
  content: text,
  address_id: id.optional().describe('The address, for its page in the dashboard; absent from older answers.'),
  collection_id: id.optional().describe('The collection of the address.'),
})
export type FragmentView = z.infer<typeof fragmentViewSchema>
