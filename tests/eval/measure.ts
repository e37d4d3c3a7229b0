import { type RetrievableFragment, type RetrieveDeps, retrieve } from '../../server/engine/retrieve'
import { type Scores, score } from './metrics'
import type { Question } from './sets'

export interface Measured {
  rule: 'words only' | 'vectors only' | 'ours'
  scores: Scores
  /** Of one search, in milliseconds. */
  p50: number
}

export interface Searchable {
  collectionId: string
  deps: RetrieveDeps<RetrievableFragment>
  /** The name of a fragment's page among the gold pages; null for one that does not count, as an index page. */
  pageOf(fragment: RetrievableFragment): string | null
}

const pages = 10
// Enough fragments for ten pages when several are of pages that do not count.
const spare = 5

/** Asks every question by each rule; a page's place is that of its best fragment. */
export async function measure({ collectionId, deps, pageOf }: Searchable, questions: Question[]): Promise<Measured[]> {
  const rules: Record<Measured['rule'], (query: string) => Promise<RetrievableFragment[]>> = {
    'words only': (query) => fused({ ...deps, embedder: null }, query),
    'vectors only': byVectors,
    ours: (query) => fused(deps, query),
  }
  const measured: Measured[] = []
  for (const [rule, search] of Object.entries(rules) as [
    Measured['rule'],
    (query: string) => Promise<RetrievableFragment[]>,
  ][]) {
    const times: number[] = []
    const judged: { found: string[]; gold: ReadonlySet<string> }[] = []
    for (const { text, gold } of questions) {
      const started = performance.now()
      const fragments = await search(text)
      times.push(performance.now() - started)
      judged.push({
        found: [...new Set(fragments.flatMap((fragment) => pageOf(fragment) ?? []))].slice(0, pages),
        gold,
      })
    }
    times.sort((a, b) => a - b)
    measured.push({ rule, scores: score(judged), p50: times[Math.floor(times.length / 2)] ?? 0 })
  }
  return measured

  async function fused(using: RetrieveDeps<RetrievableFragment>, query: string): Promise<RetrievableFragment[]> {
    const { hits } = await retrieve(using, { collectionId, query, limit: pages + spare, threshold: 0, perAddress: 1 })
    return hits.map(({ fragment }) => fragment)
  }

  async function byVectors(query: string): Promise<RetrievableFragment[]> {
    if (!deps.embedder) return []
    const hits = await deps.vectorIndex.search(collectionId, await deps.embedder.embedQuery(query), 100)
    const loaded = new Map(
      (await deps.loadFragments(hits.map(({ key }) => key))).map((fragment) => [fragment.key, fragment]),
    )
    return hits.flatMap(({ key }) => loaded.get(key) ?? [])
  }
}
