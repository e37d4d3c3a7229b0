import { z } from 'zod'
import { count, id, text } from './fields'
import { fragmentViewSchema } from './fragment'

const figure = z.number().min(0)

/** How a hit was ranked and scored. */
const hitFigures = {
  /** Rank in the keyword results and in the vector results, from 1; null if not among the first hundred. */
  keyword_rank: count.nullable(),
  vector_rank: count.nullable(),
  /** 0 if no term matched. */
  bm25: figure,
  /** Null without an embedding. */
  cosine: z.number().nullable(),
  /** BM25 and cosine combined. */
  fusion_score: figure,
  /** `fusion_score` adjusted by the fragment's text. Orders the hits of one search. */
  rerank_score: figure,
  /** Share of the query terms the fragment contains, from 0 to 1. */
  term_coverage: figure,
  /** The same, each term weighted by its number of tokens. */
  weighted_term_coverage: figure,
  /** How closely its title or a heading matches the query, from 0 to 1. */
  heading_match: figure,
  /** What `threshold` is compared with; the unrounded score of the fragment. */
  similarity: figure,
}
export type HitFigures = z.infer<z.ZodObject<typeof hitFigures>>

export const passageSchema = z.strictObject({
  /** Sentences or table rows of the content, of about 320 characters; an ellipsis stands for the rest of a long sentence. */
  text,
  /** Ranges of `text` that match the query, in order: from the first to before the second, in UTF-16 code units. */
  highlights: z.array(z.tuple([count, count])),
})
export type PassageView = z.infer<typeof passageSchema>

export const foundFragmentSchema = fragmentViewSchema.extend({
  /** The part of the content that answers the query. On web pages, `link` leads to it. */
  passage: passageSchema,
  /** With ?explain=true. */
  figures: z
    .strictObject({
      ...hitFigures,
      /** Exceeds the limit of five hits per address, and fills a position that no other address takes. */
      backfilled: z.boolean(),
    })
    .optional(),
})
export type FoundFragment = z.infer<typeof foundFragmentSchema>

export const searchExplanationSchema = z.strictObject({
  /** Terms that were searched: without stop words, unless the query consists of stop words. */
  words: z.array(text),
  /** Tokens per word of the query: the model knows the language well up to 1.35, and does not know it from 2. */
  tokens_per_word: figure,
  /** Weight of the cosine in `fusion_score`, from 0 to 1; BM25 has the rest. */
  vector_weight: figure,
  threshold: figure,
  /** Number of hits of each kind of search, and of hits ranked together. */
  keyword_hits: count,
  vector_hits: count,
  ranked: count,
  /** Fragments that match the filters; null without a filter. */
  filtered_to: count.nullable(),
  /** The best fragments that are not shown. */
  dropped: z
    .array(
      z.strictObject({
        ...hitFigures,
        id,
        url: text,
        title: text,
        reason: z.enum(['below-threshold', 'duplicate', 'same-address', 'over-limit']),
        /** The id of the fragment with the same content that is shown instead. */
        duplicate_of: id.nullable(),
      }),
    )
    .max(50),
})
export type SearchExplanation = z.infer<typeof searchExplanationSchema>

export const searchViewSchema = z.strictObject({
  /** Best first. */
  fragments: z.array(foundFragmentSchema),
  /** 'keyword' while the embedding model cannot run, or the collection has no embeddings yet. */
  mode: z.enum(['hybrid', 'keyword']),
  /** Fragments of the collection without an embedding, which keyword search alone can find. */
  pending_embeddings: count,
  /** Characters at the end of a long query that were not searched. */
  ignored_characters: count,
  /** Words that occur nowhere, each with the word that was searched instead. */
  corrections: z.array(z.strictObject({ typed: text, searched: text })),
  /** The query with its corrections; null without any. */
  corrected_query: text.nullable(),
  /** With ?explain=true. */
  explanation: searchExplanationSchema.optional(),
})
export type SearchView = z.infer<typeof searchViewSchema>

/** The answer with ?explain=true. */
export const explainedSearchSchema = searchViewSchema
  .required()
  .extend({ fragments: z.array(foundFragmentSchema.required()) })
