import { type IndexedFragment, type SearchIndex, search } from '../../server/engine/search/hybrid-search'
import { type Scores, score } from './metrics'
import type { Question } from './sets/sets'

export interface Measured {
  words: Scores
  vectors: Scores
  ours: Scores
}

export interface Searchable<Fragment extends IndexedFragment> {
  collectionId: string
  index: SearchIndex<Fragment>
  /** The name of a fragment's page among the gold pages; null for one that does not count, such as an index page. */
  pageOf(fragment: Fragment): string | null
}

const pages = 10
// Leaves enough fragments for ten pages if some are of pages that do not count.
const spare = 5

/**
 * Searches every question by keywords, by vectors if requested, and by both. The rank of a page is that of its best
 * fragment.
 */
export async function measure<Fragment extends IndexedFragment>(
  { collectionId, index, pageOf }: Searchable<Fragment>,
  questions: Question[],
  withVectors: boolean,
): Promise<Measured> {
  return {
    words: await scored((query) => byProduct({ ...index, embedder: null }, query)),
    vectors: withVectors ? await scored(byVectors) : score([]),
    ours: await scored((query) => byProduct(index, query)),
  }

  async function scored(find: (query: string) => Promise<Fragment[]>): Promise<Scores> {
    const judged: { found: string[]; gold: ReadonlySet<string> }[] = []
    for (const { text, gold } of questions) {
      const found = (await find(text)).flatMap((fragment) => pageOf(fragment) ?? [])
      judged.push({ found: [...new Set(found)].slice(0, pages), gold })
    }
    return score(judged)
  }

  async function byProduct(using: SearchIndex<Fragment>, query: string): Promise<Fragment[]> {
    const { hits } = await search(using, { collectionId, query, limit: pages + spare, threshold: 0, maxPerAddress: 1 })
    return hits.map(({ fragment }) => fragment)
  }

  async function byVectors(query: string): Promise<Fragment[]> {
    if (!index.embedder) return []
    const hits = await index.vectorIndex.search(collectionId, await index.embedder.embedQuery(query), 100)
    const fragments = await index.loadFragments(hits.map(({ key }) => key))
    const loaded = new Map(fragments.map((fragment) => [fragment.key, fragment]))
    return hits.flatMap(({ key }) => loaded.get(key) ?? [])
  }
}
