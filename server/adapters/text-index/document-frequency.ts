import type SQLite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'

/** Fragments that are counted one by one; larger numbers are estimated. */
const maxCounted = 500
/** Number of samples of a collection in which a common term is counted, and how far. */
const samples = 8
const maxPerSample = 64
const sampleNumbers = JSON.stringify(Array.from({ length: samples }, (_, n) => n))
const maxCached = 20_000
const cacheMs = 300_000

const countQuery = `select
    (select count(*) from (select 1 from fragment_words where fragment_words match j.value limit ${maxCounted + 1}))
  from json_each(?) j order by j.key`
const estimateQuery = `with ends as (select
    (select fragment_words.rowid from fragment_words where fragment_words match ? limit 1) as first,
    (select fragment_words.rowid from fragment_words where fragment_words match ? order by fragment_words.rowid desc limit 1) as last),
  samples as (select first + (last - first) * j.value / ${samples} as start,
    first + (last - first) * (j.value + 1) / ${samples} as end from ends, json_each('${sampleNumbers}') j)
  select sum((select case when count(*) < ${maxPerSample} then count(*)
      else count(*) * 1.0 * (samples.end - samples.start) / (max(key) - samples.start + 1) end
    from (select fragment_words.rowid as key from fragment_words
      where fragment_words match j.value and fragment_words.rowid >= samples.start and fragment_words.rowid < samples.end
      limit ${maxPerSample})))
  from json_each(?) j, samples group by j.key order by j.key`

/** Document frequencies, as exact as BM25 needs them. */
export interface DocumentFrequencies {
  /**
   * Number of fragments that match each FTS5 expression: exact up to 500, an estimate above. `partition` is the
   * expression that matches every fragment of the collection.
   */
  count(matches: string[], partition: string): number[]
  /** Number of fragments of all collections, as of the last minutes. */
  total(): number
}

export function createDocumentFrequencies(connection: SQLite.Database): DocumentFrequencies {
  const few = connection.prepare<unknown[], number>(countQuery).pluck()
  const amount = connection.prepare<unknown[], number>(estimateQuery).pluck()
  const all = connection.prepare<[], number>('select count(*) from fragment_words_docsize').pluck()
  /** Common terms are in most queries, and their frequencies hardly change. */
  const common = new LRUCache<string, number>({ max: maxCached, ttl: cacheMs })
  let total: { count: number; validUntil: number } | null = null

  return {
    count(matches, partition) {
      const known = new Map<string, number>()
      for (const match of matches) {
        const count = common.get(match)
        if (count !== undefined) known.set(match, count)
      }
      const missing = matches.filter((match) => !known.has(match))
      if (missing.length > 0)
        for (const [n, count] of few.all(JSON.stringify(missing)).entries()) known.set(missing[n] ?? '', count)
      const large = missing.filter((match) => (known.get(match) ?? 0) > maxCounted)
      if (large.length > 0) {
        for (const [n, estimate] of amount.all(partition, partition, JSON.stringify(large)).entries()) {
          const count = Math.max(maxCounted, Math.round(estimate))
          known.set(large[n] ?? '', count)
          common.set(large[n] ?? '', count)
        }
      }
      return matches.map((match) => known.get(match) ?? 0)
    },

    total() {
      const now = Date.now()
      if (!total) total = { count: all.get() ?? 0, validUntil: now + cacheMs }
      else if (total.validUntil <= now) {
        total.validUntil = now + cacheMs
        // Counting reads the whole table: only the first search waits for it.
        setImmediate(recount)
      }
      return total.count
    },
  }

  function recount(): void {
    try {
      total = { count: all.get() ?? 0, validUntil: Date.now() + cacheMs }
    } catch {
      // The connection is closed, or the file is busy: the next search counts again.
      total = null
    }
  }
}
