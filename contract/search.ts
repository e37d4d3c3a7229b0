import { z } from 'zod'
import { fileTypes } from './file'
import { lengths } from './limits'
import { sourceRanges } from './source-options'
import type { FragmentView } from './views/fragment'

/** What a search looks at: pages of the web, or documents of these types. */
export const searchedTypes = ['page', ...fileTypes] as const

/** How many values a filter may have. */
const mostValues = 20

/** Fields that may be given several times; one of their values has to hold. */
export const searchLists = ['sourceId', 'path', 'language', 'type'] as const

export const whatToFind = 'Type what you are looking for'

/** One value or several; an empty one asks for nothing. What is wrong with one is said of the field. */
function list<Value>(name: string, value: z.ZodType<Value>) {
  const values = z.array(value).max(mostValues, `${name} can be given ${mostValues} times at most`)
  return z
    .unknown()
    .transform((given, context): Value[] | undefined => {
      if (given === undefined) return undefined
      const parsed = values.safeParse([given].flat().filter((one) => one !== ''))
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? `${name} is not valid` })
      return z.NEVER
    })
    .optional()
}

const day = z.iso.date()
const time = z.iso.datetime({ offset: true })
const dayMs = 24 * 3600 * 1000

/** A day or a moment; of a day the start, or for an end its last millisecond. */
function date(name: string, part: 'start' | 'end') {
  const message = `${name} is a day or a time, as in 2026-11-21 or 2026-11-21T08:00:00Z`
  return z
    .string(message)
    .refine((text) => day.safeParse(text).success || time.safeParse(text).success, message)
    .transform((text) => {
      const isDay = day.safeParse(text).success
      return new Date(Date.parse(text) + (isDay && part === 'end' ? dayMs - 1 : 0))
    })
    .optional()
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Whether a tag is well-formed and all of its parts have a name, which those of 'xx-bogus' have not. */
function isKnownLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).some((canonical) => languageNames.of(canonical) !== undefined)
  } catch {
    return false
  }
}

const filters = {
  sourceId: list('sourceId', z.string('sourceId is the id of a source').trim().max(64, 'There is no such source')),
  /** Patterns as those of a source. */
  path: list(
    'path',
    z
      .string('path is a pattern, as in /docs/**')
      .trim()
      .max(sourceRanges.patternLength, `A pattern can have at most ${sourceRanges.patternLength} characters`)
      .regex(/^[/*]/, 'A pattern is a path: it starts with / or *, as in /docs/**'),
  ),
  language: list(
    'language',
    z.string().trim().toLowerCase().refine(isKnownLanguage, 'language is the tag of a language, as in en or pt-BR'),
  ),
  type: list('type', z.enum(searchedTypes, `type is one of ${searchedTypes.join(', ')}`)),
  publishedSince: date('publishedSince', 'start'),
  publishedUntil: date('publishedUntil', 'end'),
  modifiedSince: date('modifiedSince', 'start'),
  modifiedUntil: date('modifiedUntil', 'end'),
  fetchedSince: date('fetchedSince', 'start'),
  fetchedUntil: date('fetchedUntil', 'end'),
}

/** What a search leaves out before it ranks; what is absent or empty leaves out nothing. */
export type SearchFilters = z.infer<z.ZodObject<typeof filters>>

const limitMessage = 'limit is a whole number from 1 to 25'
const thresholdMessage = 'threshold is a number from 0 to 1'

/** A number that is not written is none: '' would be 0. */
function number(message: string) {
  return z.preprocess((given) => (given === '' ? Number.NaN : given), z.coerce.number(message))
}

export const searchSchema = z
  .object({
    query: z
      .string(whatToFind)
      .trim()
      .max(lengths.searchQuery, `A search can have at most ${lengths.searchQuery} characters`),
    collectionId: z.string().trim().min(1, 'Name a collection').optional(),
    agentId: z.string().trim().min(1, 'Name an agent').optional(),
    /** Without it an agent's own, or ten. */
    limit: number(limitMessage)
      .pipe(z.number().int(limitMessage).min(1, limitMessage).max(25, limitMessage))
      .optional(),
    /** Least similarity. Without it an agent's own, or .3. */
    threshold: number(thresholdMessage).pipe(z.number().min(0, thresholdMessage).max(1, thresholdMessage)).optional(),
    explain: z
      .enum(['true', 'false'], 'explain is true or false')
      .transform((given) => given === 'true')
      .optional(),
    ...filters,
  })
  .refine((search) => search.collectionId || search.agentId, {
    path: ['collectionId'],
    message: 'Name a collectionId or an agentId',
  })
  .refine((search) => !search.collectionId || !search.agentId, {
    path: ['agentId'],
    message: 'Name a collectionId or an agentId, not both: an agent searches its own collection',
  })
  .superRefine((search, context) => {
    for (const what of ['published', 'modified', 'fetched'] as const) {
      const [since, until] = [search[`${what}Since`], search[`${what}Until`]]
      if (!since || !until || since.getTime() <= until.getTime()) continue
      const message = `${what}Until comes before ${what}Since: turn them round`
      context.addIssue({ code: 'custom', path: [`${what}Until`], message })
    }
  })
export type SearchInput = z.infer<typeof searchSchema>

export interface SearchView {
  fragments: FoundFragment[]
  /** Fragments of the collection that cannot be found by meaning yet. */
  waiting: number
  /** False while the embedding model cannot run or has no vectors yet: found by words alone. */
  by_meaning: boolean
  /** Where it was asked for. */
  explanation?: SearchExplanation
}

export interface FoundFragment extends FragmentView {
  /** Where it was asked for. */
  figures?: FoundFigures
}

/** How a hit came to its place and its score. */
export interface HitFigures {
  /** Places by words and by meaning, from 1; null when not among the first hundred. */
  rank_words: number | null
  rank_meaning: number | null
  /** BM25; 0 when no word was found. */
  bm25: number
  /** Null without a vector. */
  cosine: number | null
  /** Both together, and with what the text adds to it; the latter orders the hits of one search. */
  fused: number
  order_score: number
  /** Share of the query's words that it holds; all alike, and each by its length in pieces. */
  words_held: number
  words_weighted: number
  /** How much its title or a heading is the query itself, 0 to 1. */
  heading_match: number
  /** What the threshold is compared with; the fragment's score. */
  similarity: number
}

export interface FoundFigures extends HitFigures {
  /** Its address has more than three of the hits: it is there because places were left. */
  fills_place: boolean
}

export type DropReason = 'below-threshold' | 'duplicate' | 'same-address' | 'over-limit'

export interface DroppedFragment extends HitFigures {
  id: string
  url: string
  title: string
  reason: DropReason
  /** The fragment that says the same and is shown in its place. */
  duplicate_of: string | null
}

export interface SearchExplanation {
  /** The words that were looked for: without stop words, or all of them when there are no others. */
  words: string[]
  /** Word pieces a word: up to 1.35 the model knows the language, from 2 on it does not. */
  pieces_per_word: number
  /** Share of the cosine in `fused`. */
  dense_share: number
  threshold: number
  /** How many the words found, and the vectors; and how many of them were ranked together. */
  found_by_words: number
  found_by_meaning: number
  ranked: number
  /** Fragments that the filters leave; null without a filter. */
  filtered_to: number | null
  /** The best of those that are not shown, at most fifty. */
  dropped: DroppedFragment[]
}
