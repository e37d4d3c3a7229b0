import type { KeyScore } from '../../engine/ports/search-index'
import type { SearchThreads } from '../search-threads'
import { type Candidates, concatenate, selectLikely } from './scan/candidates'
import type { CopyState, NearestQuery } from './scan-requests'

/**
 * Scans a copy in all threads at once and ranks the candidates by their exact cosines. Each thread takes the next blocks
 * when it is done with its last ones, so a busy thread delays no other. Null if the copy cannot be used, or if candidates
 * were deleted during the scan.
 */
export async function searchInParallel(
  search: SearchThreads,
  query: NearestQuery,
  copy: number,
  report: (state: CopyState) => void,
): Promise<KeyScore[] | null> {
  const candidates = await scanInParallel(search, query, copy, report)
  if (!candidates) return null
  const { collectionId, vector, k } = query
  const { keys } = selectLikely(candidates, k)
  const hits = await search.vectors({ kind: 'cosines', collectionId, vector, keys })
  return hits.length < Math.min(k, keys.length) ? null : hits.slice(0, k)
}

function scanInParallel(
  search: SearchThreads,
  query: NearestQuery,
  copy: number,
  report: (state: CopyState) => void,
): Promise<Candidates | null> {
  const nextBlock = new SharedArrayBuffer(4)
  const found: Candidates[] = []
  let scanned = 0
  let blocks = 0
  return new Promise((resolve, reject) => {
    for (let part = 0; part < search.count; part++) {
      search
        .vectors({ kind: 'part', query, copy, nextBlock })
        .then(({ candidates, scanned: count, total, ...state }) => {
          report(state)
          if (!candidates) return resolve(null)
          found.push(candidates)
          scanned += count
          blocks = Math.max(blocks, total)
          if (scanned >= blocks || found.length === search.count) resolve(concatenate(found))
        }, reject)
    }
  })
}
