import type SQLite from 'better-sqlite3'
import type { KeyScore } from '../../engine/ports/search-index'
import type { TermFrequency } from '../../engine/search/expansion/vocabulary'

/** An FTS5 expression and its weight in the score. */
export interface WeightedMatch {
  match: string
  weight: number
}

/** The fragments that a search is restricted to. */
export interface Subset {
  size: number
  /** Their keys, as a JSON array. */
  keys: string
}

/** BM25 weights, by column of the table: a title counts three times. */
const columnWeights = '0, 3, 2, 1, 3, 2, 1'
// The unary plus makes FTS5 evaluate the match first, and not once per key.
const inSubset = 'and +fragment_words.rowid in (select value from json_each(?))'
const maxWordCount = 100

const rankQuery = (restriction: string) => `select key, sum(part) as score from (
    select fragment_words.rowid as key, -bm25(fragment_words, ${columnWeights}) * (j.value ->> 1) as part
    from json_each(?) j cross join fragment_words
    where fragment_words match (j.value ->> 0) ${restriction} limit -1)
  group by key order by score desc, key limit ?`
const sumWeightsQuery = `select fragment_words.rowid as key, sum(j.value ->> 1) as score
  from json_each(?) j cross join fragment_words
  where fragment_words match (j.value ->> 0) ${inSubset} group by fragment_words.rowid`
const matchingKeysQuery = (restriction: string) =>
  `select fragment_words.rowid from fragment_words where fragment_words match ? ${restriction} limit ?`
// LIMIT -1 keeps SQLite from merging the subquery into the outer query, which would count twice.
const countWordsQuery = `select term, fragments from (
    select j.value as term, (select count(*) from (select 1 from fragment_words
      where fragment_words match ? || j.value || '"' limit ${maxWordCount})) as fragments
    from json_each(?) j limit -1)
  where fragments > 0`
const termsQuery = `select term, doc as fragments from fragment_vocabulary where term >= ? and term < ? limit ?`
const partitionQuery = 'select number from text_index_partitions where collection_id = ?'
const lastCharacter = '\u{10FFFF}'

/** The statements of keyword search, prepared on one connection. */
export function createStatements(connection: SQLite.Database) {
  const rankAll = connection.prepare<unknown[], KeyScore>(rankQuery(''))
  const rankSubset = connection.prepare<unknown[], KeyScore>(rankQuery(inSubset))
  const weights = connection.prepare<unknown[], KeyScore>(sumWeightsQuery)
  const keysOfAll = connection.prepare<unknown[], number>(matchingKeysQuery('')).pluck()
  const keysOfSubset = connection.prepare<unknown[], number>(matchingKeysQuery(inSubset)).pluck()
  const words = connection.prepare<unknown[], TermFrequency>(countWordsQuery)
  const terms = connection.prepare<unknown[], TermFrequency>(termsQuery)
  const partition = connection.prepare<unknown[], number>(partitionQuery).pluck()

  return {
    /** Sums of BM25 times weight, best first. */
    rank(matches: WeightedMatch[], limit: number, subset: Subset | null): KeyScore[] {
      const list = listOf(matches)
      return subset ? rankSubset.all(list, subset.keys, BigInt(limit)) : rankAll.all(list, BigInt(limit))
    },

    /** For each of these fragments, the sum of the weights of what it matches. Omits fragments that match nothing. */
    sumWeights(matches: WeightedMatch[], keys: number[]): KeyScore[] {
      return weights.all(listOf(matches), JSON.stringify(keys))
    },

    /** Keys of fragments that match, unranked. */
    matchingKeys(match: string, limit: number, subset: Subset | null): number[] {
      return subset ? keysOfSubset.all(match, subset.keys, BigInt(limit)) : keysOfAll.all(match, BigInt(limit))
    },

    /** Number of fragments that contain each of these terms in these columns, up to 100. Omits terms without any. */
    countTerms(columns: string, list: string[]): TermFrequency[] {
      return words.all(`${columns} : "`, JSON.stringify(list))
    },

    /** Terms of all columns that start with a prefix. */
    termsStartingWith(prefix: string, limit?: number): TermFrequency[] {
      return terms.all(prefix, prefix + lastCharacter, BigInt(limit ?? -1))
    },

    /** The number under which the terms of a collection are indexed; undefined before its first fragment. */
    partitionOf(collectionId: string): number | undefined {
      return partition.get(collectionId)
    },
  }
}

export type Statements = ReturnType<typeof createStatements>

function listOf(matches: WeightedMatch[]): string {
  return JSON.stringify(matches.map(({ match, weight }) => [match, weight]))
}
