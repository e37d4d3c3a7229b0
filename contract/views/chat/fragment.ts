import { z } from 'zod'
import { count, id, text } from '../fields'

export const passageSchema = z.strictObject({
  text: text.describe(
    'Sentences or table rows of the content, of about 320 characters; an ellipsis replaces the rest of a long sentence.',
  ),
  highlights: z
    .array(z.tuple([count, count]))
    .describe(
      'Ranges of `text` that match the query, in order: from the first to before the second, in UTF-16 code units.',
    ),
})
export type PassageView = z.infer<typeof passageSchema>

/** The contract's fragment, with what a citation needs. */
export const fragmentViewSchema = z.strictObject({
  id,
  score: z.number().min(0).max(1).describe('The calibrated similarity.'),
  url: z.url(),
  link: z.url().describe('`url` with the nearest anchor; with `passage`, it leads to it on web pages.'),
  title: text,
  headings: z.array(text),
  content: text,
  address_id: id.optional().describe('The address, for its page in the dashboard; absent from older answers.'),
  collection_id: id.optional().describe('The collection of the address.'),
  passage: passageSchema
    .optional()
    .describe(
      'Of a fragment that an answer cites: the sentence on which the answer rests, highlighted, between its neighbors.',
    ),
})
export type FragmentView = z.infer<typeof fragmentViewSchema>
