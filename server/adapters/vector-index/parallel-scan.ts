import type { KeyScore } from '../../engine/ports/search-index'
import type { SearchThreads } from '../search-threads'
import type { CopyState, NearestQuery } from './scan-requests'

/**
 * Scans a copy in all threads at once, each of which ranks its candidates by their exact cosines. Each thread takes the next
 * blocks when it is done with its last ones, so a busy thread delays no other. Null if the copy cannot be used, or if
 * candidates were deleted during the scan.
 */
export async function searchInParallel(
  search: SearchThreads,
  query: NearestQuery,
  copy: number,
  report: (state: CopyState) => void,
): Promise<KeyScore[] | null> {
  const found = await scanInParallel(search, query, copy, report)
  return found?.sort((first, second) => second.score - first.score || first.key - second.key).slice(0, query.k) ?? null
}

function scanInParallel(
  search: SearchThreads,
  query: NearestQuery,
  copy: number,
  report: (state: CopyState) => void,
): Promise<KeyScore[] | null> {
  const nextBlock = new SharedArrayBuffer(4)
  const found: KeyScore[] = []
  let answered = 0
  let scanned = 0
  let blocks = 0
  return new Promise((resolve, reject) => {
    for (let part = 0; part < search.count; part++) {
      search.vectors({ kind: 'part', query, copy, nextBlock }).then(({ hits, scanned: count, total, ...state }) => {
        report(state)
        if (!hits) return resolve(null)
        found.push(...hits)
        answered += 1
        scanned += count
        blocks = Math.max(blocks, total)
        if (scanned >= blocks || answered === search.count) resolve(found)
      }, reject)
    }
  })
}
