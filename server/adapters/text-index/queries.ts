import type { KeyScore } from '../../engine/ports'
import type { SearchThreads } from '../threads/search-threads'
import { createWordCounts } from './document-frequency'

/** A match and what it is worth. */
export interface Weighted {
  match: string
  weight: number
}

/** Of the columns, in the order of the table: a title counts three times. */
const columnWeights = '0, 3, 2, 1, 3, 2, 1'
const ofThese = 'and +fragment_words.rowid in (select value from json_each(?))'
const mostNumbers = 10_000

/** What is asked of the index, by statements that are prepared once each. */
export function createWordQueries(search: SearchThreads) {
  // A number is given once and for ever.
  const numbers = new Map<string, number>()

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

  /** Of each of these beginnings, the terms that begin like it and how many fragments have them, as many as `most`. */
  async function termsOfEach(beginnings: string[], most: number): Promise<{ term: string; many: number }[][]> {
    const found = await search.all<{ terms: string }>(
      `select (select json_group_array(json_array(term, doc)) from (select term, doc from fragment_vocabulary
         where term >= j.value and term < j.value || char(1114111) limit ?)) as terms from json_each(?) j order by j.key`,
      [BigInt(most), JSON.stringify(beginnings)],
    )
    return found.map(({ terms }) => (JSON.parse(terms) as [string, number][]).map(([term, many]) => ({ term, many })))
  }

  /** Under which number a collection's terms stand; undefined when it has none. */
  async function numberOf(collectionId: string): Promise<number | undefined> {
    const known = numbers.get(collectionId)
    if (known !== undefined) return known
    const [row] = await search.all<{ number: number }>(
      'select number from text_index_partitions where collection_id = ?',
      [collectionId],
    )
    if (row && numbers.size >= mostNumbers) numbers.clear()
    if (row) numbers.set(collectionId, row.number)
    return row?.number
  }

  return { ...createWordCounts(search), rank, hold, someOfEach, known, termsFrom, termsOfEach, numberOf }
}

export type WordQueries = ReturnType<typeof createWordQueries>

function listOf(parts: Weighted[]): string {
  return JSON.stringify(parts.map(({ match, weight }) => [match, weight]))
}
