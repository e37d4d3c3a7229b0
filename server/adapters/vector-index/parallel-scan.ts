import type { KeyScore } from '../../engine/ports'
import type { SearchThreads } from '../threads/search-threads'
import { type Candidates, joined, likely } from './scan/candidates'
import type { CopyState, NearestOrder } from './scan-requests'

/**
 * Scans a copy in all threads at once, each taking the next blocks as it gets to them, and ranks what they find. Null
 * when the copy cannot be used, or what was found went away meanwhile. A thread that is busy holds up nobody.
 */
export async function searchInParts(
  search: SearchThreads,
  order: NearestOrder,
  copy: number,
  report: (state: CopyState) => void,
): Promise<KeyScore[] | null> {
  const candidates = await scanInParts(search, order, copy, report)
  if (!candidates) return null
  const { collectionId, vector, k } = order
  const { keys } = likely(candidates, k)
  const hits = await search.vectors({ kind: 'cosines', collectionId, vector, keys })
  return hits.length < Math.min(k, keys.length) ? null : hits.slice(0, k)
}

function scanInParts(
  search: SearchThreads,
  order: NearestOrder,
  copy: number,
  report: (state: CopyState) => void,
): Promise<Candidates | null> {
  const turns = new SharedArrayBuffer(4)
  const found: Candidates[] = []
  let scanned = 0
  let blocks = 0
  return new Promise((resolve, reject) => {
    for (let part = 0; part < search.count; part++) {
      search.vectors({ kind: 'part', order, copy, turns }).then(({ candidates, done, of, ...state }) => {
        report(state)
        if (!candidates) return resolve(null)
        found.push(candidates)
        scanned += done
        blocks = Math.max(blocks, of)
        if (scanned >= blocks || found.length === search.count) resolve(joined(found))
      }, reject)
    }
  })
}
