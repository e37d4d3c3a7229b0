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
  /** Best first; empty if none reaches the similarity. */
  fragments: FragmentView[]
  /** The best of the others. */
  candidates: Candidate[]
  /** The pages of both, best first. */
  nearest: NearPage[]
}

/** More are not stored with an answer. */
const maxCandidates = 10

/** Searches the agent's collection. Throws as the search does. */
export async function findEvidence(
  search: Pick<Search, 'find'>,
  { organizationId, fragmentLimit, similarity, ...request }: EvidenceRequest,
  signal: AbortSignal,
): Promise<Evidence> {
  const limits = { limit: fragmentLimit, threshold: similarity, maxDropped: maxCandidates }
  const { fragments, dropped, nearest } = await search.find(organizationId, { ...request, ...limits }, signal)
  return {
    fragments,
    nearest,
    candidates: dropped.map(({ id, url, title, similarity: score, reason }) => {
      return { id, url, title, score: Math.min(1, score), reason }
    }),
  }
}
