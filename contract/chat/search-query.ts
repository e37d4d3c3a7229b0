import { z } from 'zod'
import { searchTypes } from '../sources/file'
import { dateSchema } from '../values/date'
import { lengths, sourceRanges } from '../values/limits'

/** Values of one repeatable parameter. */
const maxValues = 20

/** Parameters that can be repeated; a fragment has to match one of the values. */
export const repeatableFilters = ['sourceId', 'path', 'language', 'type'] as const

export const missingQueryMessage = 'Type what you are looking for'

/** One value or several; empty values are ignored. Reports the first invalid value as an issue of the field. */
function list<Value>(name: string, value: z.ZodType<Value>) {
  const values = z.array(value).max(maxValues, `${name} can be repeated at most ${maxValues} times`)
  return z
    .unknown()
    .transform((input, context): Value[] | undefined => {
      if (input === undefined) return undefined
      const parsed = values.safeParse([input].flat().filter((item) => item !== ''))
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? `${name} is not valid` })
      return z.NEVER
    })
    .meta({ type: 'array', maxItems: maxValues, items: { type: 'string' }, description: 'Repeat it for alternatives.' })
    .optional()
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Whether a tag is well-formed and each of its subtags is registered; those of 'xx-bogus' are not. */
function isKnownLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).some((canonical) => languageNames.of(canonical) !== undefined)
  } catch {
    return false
  }
}

const filters = {
  sourceId: list('sourceId', z.string('sourceId is the id of a source').trim().max(64, 'There is no such source')),
  path: list(
    'path',
    z
      .string('path is a pattern, as in /docs/**')
      .trim()
      .max(sourceRanges.patternLength, `A pattern can have at most ${sourceRanges.patternLength} characters`)
      .regex(/^[/*]/, 'A pattern is a path: it starts with / or *, as in /docs/**'),
  ).describe('In the pattern syntax of sources.'),
  language: list(
    'language',
    z.string().trim().toLowerCase().refine(isKnownLanguage, 'language is the tag of a language, as in en or pt-BR'),
  ),
  type: list('type', z.enum(searchTypes, `type is one of ${searchTypes.join(', ')}`)),
  publishedSince: dateSchema('publishedSince', 'start'),
  publishedUntil: dateSchema('publishedUntil', 'end'),
  modifiedSince: dateSchema('modifiedSince', 'start'),
  modifiedUntil: dateSchema('modifiedUntil', 'end'),
  fetchedSince: dateSchema('fetchedSince', 'start'),
  fetchedUntil: dateSchema('fetchedUntil', 'end'),
}

/** Restricts a search before it ranks. An absent or empty filter excludes nothing. */
export type SearchFilters = z.infer<z.ZodObject<typeof filters>>

const limitMessage = 'limit is a whole number from 1 to 25'
const thresholdMessage = 'threshold is a number from 0 to 1'

/** A number; the empty string is invalid rather than 0. */
function number(message: string) {
  return z.preprocess((input) => (input === '' ? Number.NaN : input), z.coerce.number(message))
}

export const searchSchema = z
  .object({
    query: z
      .string(missingQueryMessage)
      .trim()
      .max(lengths.searchQuery, `A search can have at most ${lengths.searchQuery} characters`),
    collectionId: z.string().trim().min(1, 'Name a collection').optional(),
    agentId: z.string().trim().min(1, 'Name an agent').optional(),
    limit: number(limitMessage)
      .pipe(z.number().int(limitMessage).min(1, limitMessage).max(25, limitMessage))
      .meta({ type: 'integer', minimum: 1, maximum: 25 })
      .optional()
      .describe("Defaults to the agent's limit, or to 10 for a collection."),
    threshold: number(thresholdMessage)
      .pipe(z.number().min(0, thresholdMessage).max(1, thresholdMessage))
      .meta({ minimum: 0, maximum: 1 })
      .optional()
      .describe("Minimum similarity. Defaults to the agent's, or to 0.3 for a collection."),
    explain: z
      .enum(['true', 'false'], 'explain is true or false')
      .transform((input) => input === 'true')
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
      const message = `${what}Until comes before ${what}Since: swap them`
      context.addIssue({ code: 'custom', path: [`${what}Until`], message })
    }
  })
export type SearchInput = z.infer<typeof searchSchema>

/** `POST /v1/public/search`. Limit and threshold default to the agent's. */
export const publicSearchSchema = z.object({
  query: searchSchema.shape.query.min(1, missingQueryMessage),
  limit: searchSchema.shape.limit,
})

/** The part of a query that is searched. A character of two code units is not split. */
export function searchedPart(query: string): string {
  return query.slice(0, lengths.searchedQuery).replace(/[\ud800-\udbff]$/, '')
}
