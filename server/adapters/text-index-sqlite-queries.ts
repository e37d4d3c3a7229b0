import type { KeyScore } from '../engine/ports'
import type { SearchThreads } from './search-threads'

/** A match and what it is worth. */
export interface Weighted {
  match: string
  weight: number
}

/** Fragments that are counted one by one; more are estimated. */
const mostCounted = 1_000
/** Parts of a collection in which a common word is counted, and how far. */
const sampledParts = 4
const mostSampled = 250
const partNumbers = JSON.stringify(Array.from({ length: sampledParts }, (_, n) => n))
/** Of the columns, in the order of the table: a title counts three times. */
const columnWeights = '0, 3, 2, 1, 3, 2, 1'
const ofThese = 'and +fragment_words.rowid in (select value from json_each(?))'
const mostNumbers = 10_000
const rowsRememberedMs = 300_000

/** What is asked of the index, by statements that are prepared once each. */
export function createWordQueries(search: SearchThreads) {
  // A number is given once and for ever.
  const numbers = new Map<string, number>()
  const rows = { count: 0, until: 0 }

  /** How many fragments each match has: exactly up to `mostCounted`, else estimated. `place` matches the collection. */
  async function count(matches: string[], place: string): Promise<number[]> {
    const found = await search.all<{ many: number }>(
      `select (select count(*) from (select 1 from fragment_words where fragment_words match j.value limit ${mostCounted + 1}))
         as many from json_each(?) j order by j.key`,
      [JSON.stringify(matches)],
    )
    const counts = found.map(({ many }) => many)
    const many = matches.filter((_, n) => (counts[n] ?? 0) > mostCounted)
    if (many.length === 0) return counts
    const estimated = await estimate(many, place)
    return counts.map((exact, n) => Math.max(exact, estimated.get(matches[n] ?? '') ?? 0))
  }

  /** From how close to one another they stand in some parts of the collection: a site says a word here more than there. */
  async function estimate(matches: string[], place: string): Promise<Map<string, number>> {
    const found = await search.all<{ match: string; many: number }>(
      `with ends as (select
         (select fragment_words.rowid from fragment_words where fragment_words match ? limit 1) as first,
         (select fragment_words.rowid from fragment_words where fragment_words match ? order by fragment_words.rowid desc limit 1) as last),
       parts as (select first + (last - first) * j.value / ${sampledParts} as start,
         first + (last - first) * (j.value + 1) / ${sampledParts} as end from ends, json_each('${partNumbers}') j)
       select j.value as "match", sum((select case when count(*) < ${mostSampled} then count(*)
           else count(*) * 1.0 * (parts.end - parts.start) / (max(key) - parts.start + 1) end
         from (select fragment_words.rowid as key from fragment_words
           where fragment_words match j.value and fragment_words.rowid >= parts.start and fragment_words.rowid < parts.end
           limit ${mostSampled}))) as many
       from json_each(?) j, parts group by j.key`,
      [place, place, JSON.stringify(matches)],
    )
    return new Map(found.map(({ match, many }) => [match, Math.round(many)]))
  }

  /** Sums of BM25 times weight, best first. */
  function rank(parts: Weighted[], limit: number, among?: Iterable<number>): Promise<KeyScore[]> {
    return search.all<KeyScore>(
      `select key, sum(part) as score from (
         select fragment_words.rowid as key, -bm25(fragment_words, ${columnWeights}) * (j.value ->> 1) as part
         from json_each(?) j cross join fragment_words
         where fragment_words match (j.value ->> 0) ${among ? ofThese : ''} limit -1)
       group by key order by score desc, key limit ?`,
      [listOf(parts), ...(among ? [JSON.stringify([...among])] : []), BigInt(limit)],
    )
  }

  /** Sums of the weights of what each of these fragments holds. */
  function hold(parts: Weighted[], among: Iterable<number>): Promise<KeyScore[]> {
    return search.all<KeyScore>(
      `select fragment_words.rowid as key, sum(j.value ->> 1) as score from json_each(?) j cross join fragment_words
       where fragment_words match (j.value ->> 0) ${ofThese} group by fragment_words.rowid`,
      [listOf(parts), JSON.stringify([...among])],
    )
  }

  /** Some fragments of each match, in no order of worth. */
  async function someOfEach(matches: string[], limit: number, among?: Iterable<number>): Promise<number[][]> {
    const found = await search.all<{ keys: string }>(
      `select (select json_group_array(key) from (select fragment_words.rowid as key from fragment_words
         where fragment_words match j.value ${among ? ofThese : ''} limit ?)) as keys from json_each(?) j order by j.key`,
      [...(among ? [JSON.stringify([...among])] : []), BigInt(limit), JSON.stringify(matches)],
    )
    return found.map(({ keys }) => JSON.parse(keys) as number[])
  }

  /** Those of these terms that stand in these columns, and in how many fragments, up to a hundred. */
  async function known(terms: string[], columns: string): Promise<Map<string, number>> {
    const found = await search.all<{ term: string; many: number }>(
      `select term, many from (
         select j.value as term, (select count(*) from (select 1 from fragment_words
           where fragment_words match ? || j.value || '"' limit 100)) as many
         from json_each(?) j limit -1)
       where many > 0`,
      [`${columns} : "`, JSON.stringify(terms)],
    )
    return new Map(found.map(({ term, many }) => [term, many]))
  }

  /** All terms that begin like this. */
  async function termsFrom(beginning: string): Promise<string[]> {
    const found = await search.all<{ term: string }>(
      'select term from fragment_vocabulary where term >= ? and term < ?',
      [beginning, `${beginning}\u{10FFFF}`],
    )
    return found.map(({ term }) => term)
  }

  /** Under which number a collection's terms stand; undefined when it has none. */
  async function numberOf(collectionId: string): Promise<number | undefined> {
    const known = numbers.get(collectionId)
    if (known !== undefined) return known
    const [row] = await search.all<{ number: number }>('select number from word_collections where collection_id = ?', [
      collectionId,
    ])
    if (row && numbers.size >= mostNumbers) numbers.clear()
    if (row) numbers.set(collectionId, row.number)
    return row?.number
  }

  /** Fragments of all collections, as of some minutes ago. */
  async function allFragments(): Promise<number> {
    const isFirst = rows.until === 0
    if (rows.until > Date.now()) return rows.count
    rows.until = Date.now() + rowsRememberedMs
    const counting = search.all<{ count: number }>('select count(*) as count from fragment_words_docsize', [])
    const counted = counting.then(
      ([row]) => {
        rows.count = row?.count ?? 0
      },
      () => {
        rows.until = 0
      },
    )
    // All rows are walked through: only the first search waits for it.
    if (isFirst) await counted
    return rows.count
  }

  return { count, rank, hold, someOfEach, known, termsFrom, numberOf, allFragments }
}

export type WordQueries = ReturnType<typeof createWordQueries>

function listOf(parts: Weighted[]): string {
  return JSON.stringify(parts.map(({ match, weight }) => [match, weight]))
}
