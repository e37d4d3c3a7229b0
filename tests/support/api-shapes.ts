import { z } from 'zod'
import { id, count as many, text } from '../../contract/views/fields'
import { fragmentViewSchema } from '../../contract/views/fragment'

const fragment = fragmentViewSchema.required()

export const search = z.strictObject({
  fragments: z.array(fragment).min(1),
  mode: z.enum(['hybrid', 'keyword']),
  pending_embeddings: many,
})

const figure = z.number().min(0)
const figures = {
  keyword_rank: many.nullable(),
  vector_rank: many.nullable(),
  bm25: figure,
  cosine: z.number().nullable(),
  fusion_score: figure,
  rerank_score: figure,
  term_coverage: figure,
  weighted_term_coverage: figure,
  heading_match: figure,
  similarity: figure,
}
const dropReasons = ['below-threshold', 'duplicate', 'same-address', 'over-limit']

export const explainedSearch = search.extend({
  fragments: z.array(fragment.extend({ figures: z.strictObject({ ...figures, backfilled: z.boolean() }) })).min(1),
  explanation: z.strictObject({
    words: z.array(text),
    tokens_per_word: figure,
    vector_weight: figure,
    threshold: figure,
    keyword_hits: many,
    vector_hits: many,
    ranked: many,
    filtered_to: many.nullable(),
    dropped: z
      .array(
        z.strictObject({
          ...figures,
          id,
          url: text,
          title: text,
          reason: z.enum(dropReasons),
          duplicate_of: id.nullable(),
        }),
      )
      .max(50),
  }),
})
