import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { Candidate } from '../../../contract/views/chat/thread'
import type { NearPage } from '../../engine/answering/nothing-found'
import type { Search } from '../search/search-collections'

export interface EvidenceRequest {
  organizationId: string
  collectionId: string
  query: string
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
  { organizationId, fragmentLimit, similarity, ...request }: EvidenceRequest,
  signal: AbortSignal,
): Promise<Evidence> {
  const limits = { limit: fragmentLimit, threshold: similarity, maxDropped: maxCandidates }
  const found = await search.find(organizationId, { ...request, ...limits }, signal)
  const closest = found.closest.slice(0, Math.min(maxClosest, fragmentLimit))
  const fragments = found.fragments.length > 0 ? found.fragments : closest
  const used = new Set(fragments.map(({ id }) => id))
  const dropped = found.dropped.filter(({ id }) => !used.has(id))
  return {
    fragments,
    nearest: found.nearest,
    candidates: dropped.map(({ id, url, title, similarity: score, reason }) => {
      return { id, url, title, score: Math.min(1, score), reason }
    }),
  }
}
