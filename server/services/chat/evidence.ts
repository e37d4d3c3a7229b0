import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { Candidate } from '../../../contract/views/chat/thread'
import type { NearPage } from '../../engine/answering/nothing-found'
import type { Search } from '../search/search-collections'

export interface EvidenceRequest {
  organizationId: string
  collectionId: string
  query: string
  /** The question in the collection's language, which is searched as well; null without one. */
  translatedQuery: string | null
  /** The agent's. */
  fragmentLimit: number
  similarity: number
  /** The visitor's; null if unknown. */
  preferredLanguage: string | null
}

export interface Evidence {
  /** Best first. If none reaches the similarity, those that contain a word of the query; empty without any. */
  fragments: FragmentView[]
  /** The best of the others. */
  candidates: Candidate[]
  /** The pages of both, best first. */
  nearest: NearPage[]
}

/** More are not stored with an answer. */
const maxCandidates = 10
/** Fragments below the similarity that a model reads. */
const maxClosest = 5

/**
 * Searches the agent's collection. Similarity is a poor judge of short questions and of languages that the embedding model
 * does not know, so the model decides whether the closest pages answer. Throws as the search does.
 */
export async function findEvidence(
  search: Pick<Search, 'find'>,
  { organizationId, fragmentLimit, similarity, query, translatedQuery, ...request }: EvidenceRequest,
  signal: AbortSignal,
): Promise<Evidence> {
  const limits = { limit: fragmentLimit, threshold: similarity, maxDropped: maxCandidates }
  const queries = translatedQuery === null ? [query] : [query, translatedQuery]
  const results = []
  for (const text of queries)
    results.push(await search.find(organizationId, { ...request, ...limits, query: text }, signal))
  // Scores do not tell the order of a reranker.
  const merge = results.some(({ isReranked }) => isReranked) ? interleave : fuse
  const found = merge(results.map((result) => result.fragments)).slice(0, fragmentLimit)
  const closest = fuse(results.map((result) => result.closest)).slice(0, Math.min(maxClosest, fragmentLimit))
  const fragments = found.length > 0 ? found : closest
  const used = new Set(fragments.map(({ id }) => id))
  const dropped = new Map(results.flatMap((result) => result.dropped).map((item) => [item.id, item]))
  return {
    fragments,
    nearest: results.flatMap(({ nearest }) => nearest),
    candidates: [...dropped.values()]
      .filter(({ id }) => !used.has(id))
      .slice(0, maxCandidates)
      .map(({ id, url, title, similarity: score, reason }) => {
        return { id, url, title, score: Math.min(1, score), reason }
      }),
  }
}

/** The fragments of several searches, each once with its best score; best first. */
function fuse(lists: FragmentView[][]): FragmentView[] {
  if (lists.length === 1) return lists[0] ?? []
  const best = new Map<string, FragmentView>()
  for (const fragment of lists.flat()) {
    const known = best.get(fragment.id)
    if (!known || known.score < fragment.score) best.set(fragment.id, fragment)
  }
  return [...best.values()].sort((first, second) => second.score - first.score)
}

/** The fragments of several searches, each once: the first of each, then the second of each. */
function interleave(lists: FragmentView[][]): FragmentView[] {
  const longest = Math.max(...lists.map((list) => list.length))
  const inTurn = Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list[n] ?? [])).flat()
  const found = new Map(inTurn.map((fragment) => [fragment.id, fragment]))
  return [...found.values()]
}
