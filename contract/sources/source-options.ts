import { z } from 'zod'
import { refreshIntervals } from '../values/enumerations'
import { sourceRanges } from '../values/limits'

/** Headers that the crawler sets, or that would change the framing of a request. */
const reserved =
  /^(host|connection|keep-alive|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|user-agent|accept-encoding|if-none-match|if-modified-since|range|proxy-.*|sec-.*)$/i

const pattern = z
  .string()
  .trim()
  .max(sourceRanges.patternLength, `A pattern can have at most ${sourceRanges.patternLength} characters`)
  .regex(/^[/*]/, 'A pattern is a path: it starts with / or *, as in /docs/**')
  // Paths never contain these unencoded; a pattern that has them is meant as a regular expression.
  .regex(/^[^[\]{}|^\\]*$/, {
    error: ({ input }) =>
      `"${String(input).slice(0, 40)}" is not a pattern: only *, ** and ? are wildcards, and [ ] { } | ^ and \\ cannot be used`,
  })

/** A list, or text with one pattern per line; empty matches everything. */
const patterns = z
  .preprocess(
    (input) => (typeof input === 'string' ? input.split(/[\n,]/) : input),
    z
      .array(z.string('A pattern is text, as in /docs/**'), 'Give patterns as a list, or one per line')
      .transform((list) => list.map((text) => text.trim()).filter((text) => text !== ''))
      .pipe(z.array(pattern).max(sourceRanges.patterns, `At most ${sourceRanges.patterns} patterns`)),
  )
  .optional()

const selector = z
  .string()
  .max(sourceRanges.selectorLength, `A selector can have at most ${sourceRanges.selectorLength} characters`)

/** A list, or text with one selector per line; commas are part of a selector. Empty selects the content automatically. */
const selectors = z
  .preprocess(
    (input) => (typeof input === 'string' ? input.split('\n') : input),
    z
      .array(z.string('A selector is text, as in main .article'), 'Give selectors as a list, or one per line')
      .transform((list) => list.map((text) => text.trim()).filter((text) => text !== ''))
      .pipe(z.array(selector).max(sourceRanges.selectors, `At most ${sourceRanges.selectors} selectors`)),
  )
  .optional()

/** An integer in its range; '' or null removes the limit. */
function limit(name: string, { min, max }: { min: number; max: number }) {
  const message = `${name} is a whole number from ${min} to ${max.toLocaleString('en')}, or empty`
  return z
    .preprocess(
      (input) => (input === '' || input === null ? null : typeof input === 'string' ? Number(input) : input),
      z.number(message).int(message).min(min, message).max(max, message).nullable(),
    )
    .optional()
}

/** The value of a header without one. */
const noColon = '\n'

const headers = z
  .record(z.string(), z.string('A header is text'), 'Give headers as name and value')
  .superRefine((input, context) => {
    const names = Object.keys(input)
    const complain = (message: string) => context.addIssue({ code: 'custom', message })
    if (names.length > sourceRanges.headers) complain(`At most ${sourceRanges.headers} headers`)
    for (const [name, value] of Object.entries(input)) {
      if (value === noColon) {
        complain(`Write "${name.slice(0, 40)}" as Name: value`)
        continue
      }
      if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) complain(`"${name.slice(0, 40)}" is not the name of a header`)
      else if (reserved.test(name)) complain(`The header ${name} cannot be set`)
      if (!/^[\t\x20-\x7e]*$/.test(value)) complain(`The value of ${name.slice(0, 40)} must be plain ASCII on one line`)
      if (value.length > sourceRanges.headerLength) complain(`The value of ${name.slice(0, 40)} is too long`)
    }
  })

/** Parses the 'Name: value' lines of a form; the schema of the record reports lines without a colon. */
function headersOfLines(input: unknown): unknown {
  if (typeof input !== 'string') return input
  const lines = input.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return undefined
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return colon < 0 ? [line.trim(), noColon] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
}

/** Options of a source. Omitted options keep their values, or take the defaults at creation. */
export const sourceOptionsSchema = z.object({
  include: patterns,
  exclude: patterns,
  include_selectors: selectors.describe('CSS selectors of the content of a page.'),
  exclude_selectors: selectors.describe('CSS selectors of what to remove from it.'),
  max_pages: limit('Maximum pages', sourceRanges.maxPages),
  max_depth: limit('Maximum depth', sourceRanges.maxDepth),
  refresh_interval: z.enum(refreshIntervals, 'Choose never, daily, weekly or monthly').optional(),
  crawl_delay_ms: limit('Crawl delay', sourceRanges.crawlDelayMs),
  headers: z
    .preprocess(headersOfLines, headers.optional())
    .optional()
    .describe('Replace the stored headers; {} removes them. An empty form field keeps them.'),
  username: z.string('A user name is text').max(256, 'The user name is too long').optional(),
  password: z.string('A password is text').max(256, 'The password is too long').optional(),
  clear_headers: z
    .preprocess((input) => input === 'on' || input === 'true' || input, z.boolean('clear_headers is true or false'))
    .optional()
    .describe('Removes the stored headers and credentials.'),
})
export type SourceOptions = z.infer<typeof sourceOptionsSchema>
