import type { Transaction } from '../../../db/database'
import type { IndexedText, TextIndex } from '../../engine/ports/search-index'
import type { SearchThreads } from '../search-threads'
import { type BackgroundMergesOptions, createBackgroundMerges } from './background-merges'
import { addFragments, removeFragments } from './segment-store'

export interface SqliteTextIndexOptions {
  search: SearchThreads
  /** Merges segments in the background; without it, searches of large collections read more segments. */
  merging?: BackgroundMergesOptions
}

export interface SqliteTextIndex extends TextIndex<Transaction> {
  /** Merges the segments of a collection now, without waiting for its changes to end. Returns how many merges that took. */
  mergeNow(collectionId: string): Promise<number>
  /** Waits until no more segments are to be merged. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Keyword search in segments of our own, ranked by BM25 over title (3), headings (2) and text (1). */
export function createSqliteTextIndex({ search, merging }: SqliteTextIndexOptions): SqliteTextIndex {
  const merges = merging && createBackgroundMerges(merging)
  return {
    async add(tx, fragments) {
      for (const [collectionId, group] of groupByCollection(fragments)) {
        await addFragments(tx, collectionId, group)
        merges?.request(collectionId)
      }
    },

    async remove(tx, collectionId, keys) {
      await removeFragments(tx, collectionId, keys)
      merges?.request(collectionId)
    },

    async search(collectionId, query, limit, among) {
      if (among?.size === 0) return { hits: [], expansions: new Map() }
      const keys = among ? Float64Array.from(among).sort() : null
      const { expansions, ...packed } = await search.keywords({
        collectionId,
        query,
        limit: Math.floor(limit),
        among: keys,
      })
      return { hits: Array.from(packed.keys, (key, n) => ({ key, score: packed.scores[n] ?? 0 })), expansions }
    },

    mergeNow: async (collectionId) => merges?.mergeNow(collectionId) ?? 0,
    settle: async () => merges?.settle(),
    close: async () => merges?.close(),
  }
}

function groupByCollection(fragments: IndexedText[]): Map<string, IndexedText[]> {
  const groups = new Map<string, IndexedText[]>()
  for (const fragment of fragments) {
    const group = groups.get(fragment.collectionId)
    if (group) group.push(fragment)
    else groups.set(fragment.collectionId, [fragment])
  }
  return groups
}
