import { type RetrieveDeps, retrieve } from '../../server/engine/search/search'
import type { RetrievableFragment } from '../../server/engine/search/select-hits'
import { type Scores, score } from './metrics'
import type { Question } from './sets'

export interface Measured {
  words: Scores
  vectors: Scores
  ours: Scores
}

export interface Searchable<Fragment extends RetrievableFragment> {
  collectionId: string
  deps: RetrieveDeps<Fragment>
  /** The name of a fragment's page among the gold pages; null for one that does not count, as an index page. */
  pageOf(fragment: Fragment): string | null
}

const pages = 10
// Enough fragments for ten pages when several are of pages that do not count.
const spare = 5

/** Asks every question by words, by vectors and by both; a page's place is that of its best fragment. */
export async function measure<Fragment extends RetrievableFragment>(
  { collectionId, deps, pageOf }: Searchable<Fragment>,
  questions: Question[],
): Promise<Measured> {
  return {
    words: await scored((query) => fused({ ...deps, embedder: null }, query)),
    vectors: await scored(byVectors),
    ours: await scored((query) => fused(deps, query)),
  }

  async function scored(search: (query: string) => Promise<Fragment[]>): Promise<Scores> {
    const judged: { found: string[]; gold: ReadonlySet<string> }[] = []
    for (const { text, gold } of questions) {
      const found = (await search(text)).flatMap((fragment) => pageOf(fragment) ?? [])
      judged.push({ found: [...new Set(found)].slice(0, pages), gold })
    }
    return score(judged)
  }

  async function fused(using: RetrieveDeps<Fragment>, query: string): Promise<Fragment[]> {
    const { hits } = await retrieve(using, { collectionId, query, limit: pages + spare, threshold: 0, perAddress: 1 })
    return hits.map(({ fragment }) => fragment)
  }

  async function byVectors(query: string): Promise<Fragment[]> {
    if (!deps.embedder) return []
    const hits = await deps.vectorIndex.search(collectionId, await deps.embedder.embedQuery(query), 100)
    const fragments = await deps.loadFragments(hits.map(({ key }) => key))
    const loaded = new Map(fragments.map((fragment) => [fragment.key, fragment]))
    return hits.flatMap(({ key }) => loaded.get(key) ?? [])
  }
}
