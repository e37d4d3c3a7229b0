import { headingSeparator } from '../chunking/embedding-text'
import { foldText, isUnsegmented } from '../language/normalize-text'
import type { ParsedQuery } from '../ports/parsed-query'
import type { KeywordHits } from '../ports/search-index'
import { createLineMatcher } from './ranking/line-match'
import type { PassageText } from './ranking/relevance'

const maxNameWords = 2
const questionMark = /[?？؟]/u
/** Keyword hits that are read. */
const maxHits = 10

/**
 * Whether a query is a name that keywords find: a single word or code that occurs, or two words with which a title, a
 * heading or a line of a good hit starts. The model knows the parts of names rather than what they name, so its cosines
 * say little about them.
 */
export async function isFoundName(
  { text, identifiers }: Pick<ParsedQuery, 'text' | 'identifiers'>,
  { hits, expansions }: KeywordHits,
  loadFragments: (keys: number[]) => Promise<PassageText[]>,
): Promise<boolean> {
  const words = text.trim().split(/\s+/).length
  const canBeName = words <= maxNameWords && !questionMark.test(text) && !isUnsegmented(text)
  if (!canBeName || hits.length === 0 || expansions.size > 0) return false
  if (words === 1) return true
  const matchLines = createLineMatcher(text, identifiers)
  const fragments = await loadFragments(hits.slice(0, maxHits).map(({ key }) => key))
  return fragments.some(({ title, headings, innerHeadings, text }) => {
    const lines = [title, ...`${headings}${headingSeparator}${innerHeadings}`.split(headingSeparator), text]
    return matchLines(foldText(lines.join('\n'))).startsLine
  })
}
