import type { Client } from '@opensearch-project/opensearch'
import type { Vocabulary } from '../../engine/search/expansion/vocabulary'
import { prefixMark } from '../../engine/search/terms'
import type { IndexNames } from './search-indexes'
import { succeeded } from './search-server'
import type { TermStatistics } from './term-statistics'

const maxCount = 100
/** More terms start with a prefix than a query means. */
const maxTerms = 5_000
/** No word of a text is longer, and the server refuses prefixes of thousands of characters. */
const maxPrefixLength = 200
/** Each round looks up all that the one before it asked for; the deepest expansion takes six. */
const maxRounds = 12

/**
 * Runs synchronous work on the vocabulary of a collection. Work that asks for what is not known yet gets empty answers, and
 * runs again after all of that has been looked up at once.
 */
export async function withVocabulary<Result>(
  { client, names, collectionId }: { client: Client; names: Pick<IndexNames, 'terms'>; collectionId: string },
  statistics: TermStatistics,
  work: (vocabulary: Vocabulary) => Result,
): Promise<Result> {
  const counted = new Set<string>()
  const listed = new Map<string, string[]>()
  for (let round = 0; round < maxRounds; round++) {
    const uncounted = new Set<string>()
    const unlisted = new Map<string, { prefix: string; limit: number }>()
    const result = work(vocabularyOf(uncounted, unlisted))
    if (uncounted.size === 0 && unlisted.size === 0) return result
    await Promise.all([statistics.load(uncounted), list([...unlisted])])
    for (const term of uncounted) counted.add(term)
  }
  throw new Error('The expansion of a query does not end.')

  function vocabularyOf(uncounted: Set<string>, unlisted: Map<string, { prefix: string; limit: number }>): Vocabulary {
    const require = (terms: string[]) => {
      for (const term of terms) if (!counted.has(term)) uncounted.add(term)
    }
    const countAll = (texts: string[], termOf: (text: string) => string, countOf: (term: string) => number) => {
      const terms = texts.map(termOf)
      require(terms)
      const counts = texts.map((text, n): [string, number] => [text, Math.min(maxCount, countOf(terms[n] ?? ''))])
      return new Map(counts.filter(([, count]) => count > 0))
    }
    return {
      countWords: (words) => countAll(words, String, (term) => statistics.frequencies(term).wordFragments),
      countPrefixes: (prefixes) =>
        countAll(
          prefixes,
          (prefix) => prefix + prefixMark,
          (term) => statistics.frequencies(term).fragments,
        ),
      sumFragments(terms) {
        require(terms)
        return terms.reduce((sum, term) => sum + statistics.frequencies(term).fragments, 0)
      },
      termsStartingWith(prefix, limit = maxTerms) {
        const key = `${limit} ${prefix}`
        const terms = listed.get(key)
        if (!terms) unlisted.set(key, { prefix, limit })
        return terms ?? []
      },
    }
  }

  async function list(wanted: [string, { prefix: string; limit: number }][]): Promise<void> {
    const asked = wanted.filter(([, { prefix }]) => prefix.length <= maxPrefixLength)
    for (const [key] of wanted) listed.set(key, [])
    if (asked.length === 0) return
    const { tag } = statistics
    const { body } = await client.msearch({
      body: asked.flatMap(([, { prefix, limit }]) => [
        { index: names.terms, routing: collectionId },
        {
          query: { prefix: { term: tag + prefix } },
          sort: ['term'],
          size: limit,
          track_total_hits: false,
          stored_fields: '_none_',
          docvalue_fields: ['term'],
        },
      ]),
    })
    for (const [n, { hits }] of succeeded(body.responses).entries()) {
      const found = hits.hits as unknown as { fields: { term: string[] } }[]
      listed.set(
        asked[n]?.[0] ?? '',
        found.flatMap(({ fields }) => fields.term[0]?.slice(tag.length) || []),
      )
    }
  }
}
