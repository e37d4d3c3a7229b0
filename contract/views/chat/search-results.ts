import { z } from 'zod'
import { count, id, text } from '../fields'
import { fragmentViewSchema, passageSchema } from './fragment'

const figure = z.number().min(0)

/** How a hit was ranked and scored. */
const hitFigures = {
  keyword_rank: count.nullable().describe('Rank in the keyword results, from 1; null if not among the first hundred.'),
  vector_rank: count.nullable().describe('The same in the vector results.'),
  bm25: figure.describe('0 if no term matched.'),
  cosine: z.number().nullable().describe('Null without an embedding.'),
  fusion_score: figure.describe('BM25 and cosine combined.'),
  rerank_score: figure.describe(
    "`fusion_score` adjusted by the fragment's text. Orders the hits of one search, unless there is a reranker.",
  ),
  reranker_score: z
    .number()
    .nullable()
    .describe('Score of the reranker, whatever its scale; higher is better. Null if it did not read the fragment.'),
  term_coverage: figure.describe('Share of the query terms the fragment contains, from 0 to 1.'),
  weighted_term_coverage: figure.describe('The same share, with each term weighted by its number of tokens.'),
  heading_match: figure.describe('How closely its title or a heading matches the query, from 0 to 1.'),
  similarity: figure.describe('What `threshold` is compared with; the unrounded score of the fragment.'),
}
export type HitFigures = z.infer<z.ZodObject<typeof hitFigures>>

export const foundFragmentSchema = fragmentViewSchema.extend({
  passage: passageSchema.describe('The part of the content that answers the query. On web pages, `link` leads to it.'),
  figures: z
    .strictObject({
      ...hitFigures,
      backfilled: z
        .boolean()
        .describe(
          'Whether it exceeds the limit of five hits per address and fills a position that no other address takes.',
        ),
    })
    .optional()
    .describe('With ?explain=true.'),
})
export type FoundFragment = z.infer<typeof foundFragmentSchema>

export const searchExplanationSchema = z.strictObject({
  words: z
    .array(text)
    .describe('Terms that were searched: without stop words, unless the query consists of stop words.'),
  tokens_per_word: figure.describe(
    'Tokens per word of the query: the model knows the language well up to 1.35, and does not know it from 2.',
  ),
  vector_weight: figure.describe('Weight of the cosine in `fusion_score`, from 0 to 1; BM25 has the rest.'),
  threshold: figure,
  keyword_hits: count.describe('Number of hits of the keyword search.'),
  vector_hits: count.describe('Number of hits of the vector search.'),
  ranked: count.describe('Number of hits that were ranked together.'),
  filtered_to: count.nullable().describe('Fragments that match the filters; null without a filter.'),
  reranker: z
    .strictObject({
      model: text,
      candidates: count.describe('Fragments that it was given: at most 20.'),
      scored: count.describe('Those that it read within its 150 ms. The others follow them.'),
      ms: count.describe('Milliseconds that the search waited for it.'),
      applied: z.boolean().describe('Whether it changed the order; not if it read fewer than two.'),
    })
    .nullable()
    .describe('Null without a reranker, and if it failed.'),
  dropped: z
    .array(
      z.strictObject({
        ...hitFigures,
        id,
        url: text,
        title: text,
        reason: z.enum(['below-threshold', 'duplicate', 'same-address', 'over-limit']),
        duplicate_of: id.nullable().describe('The id of the returned fragment with the same content.'),
      }),
    )
    .max(50)
    .describe('The best fragments that were not returned.'),
})
export type SearchExplanation = z.infer<typeof searchExplanationSchema>

export const searchViewSchema = z.strictObject({
  fragments: z.array(foundFragmentSchema).describe('Best first.'),
  mode: z
    .enum(['hybrid', 'keyword'])
    .describe("'keyword' while the embedding model cannot run, or the collection has no embeddings yet."),
  pending_embeddings: count.describe(
    'Fragments of the collection without an embedding, which keyword search alone can find.',
  ),
  ignored_characters: count.describe('Characters at the end of a long query that were not searched.'),
  corrections: z
    .array(z.strictObject({ typed: text, searched: text }))
    .describe('Words that occur nowhere, each with the word that was searched instead.'),
  corrected_query: text.nullable().describe('The query with its corrections; null without any.'),
  explanation: searchExplanationSchema.optional().describe('With ?explain=true.'),
})
export type SearchView = z.infer<typeof searchViewSchema>

/** The answer with ?explain=true. */
export const explainedSearchSchema = searchViewSchema
  .required()
  .extend({ fragments: z.array(foundFragmentSchema.required()) })
