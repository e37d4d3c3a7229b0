import { sql } from 'drizzle-orm'
import type { Transaction } from '../../db/database'
import type { KeyScore, TextIndex } from '../engine/ports'
import type { SearchThreads } from './search-threads'
import { isWrittenWithoutSpaces, stemsOf } from './text-index-sqlite-stems'

/**
 * For a migration of its own. The collection is a token beside the words, so that it narrows a search before anything
 * is ranked; the texts themselves are only in the table of fragments.
 */
export const textIndexTable = `create virtual table fragment_words using fts5(
  collection, title, headings, text, title_stems, heading_stems, text_stems,
  content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')`

/** How a query is read: see `server/engine/query-words.ts`. */
export interface QueryWords {
  /** In lower case, without stop words, each once. */
  words: string[]
  /** Words of an inflected language are found by their beginnings, English ones by themselves and by their stems. */
  english: boolean
}

export interface SqliteTextIndexOptions {
  search: SearchThreads
  readQuery(query: string): QueryWords
}

const mostWords = 32
const prefixLength = 5
// Weights of the columns, in the order of the table: the collection counts nothing.
const find = `select rowid as key, -rank as score from fragment_words
  where fragment_words match ? and rank match 'bm25(0, 3, 2, 1, 3, 2, 1)' order by rank limit ?`
const findAmong = find.replace(' and rank', ' and rowid in (select value from json_each(?)) and rank')
const plain = '{title headings text}'
const stems = '{title_stems heading_stems text_stems}'

/** Words in SQLite's FTS5, ranked by BM25 over title (3), headings (2) and text (1). */
export function createSqliteTextIndex({ search, readQuery }: SqliteTextIndexOptions): TextIndex<Transaction> {
  return {
    async add(tx, fragments) {
      if (fragments.length === 0) return
      const rows = fragments.map(({ key, collectionId, title, headings, text }) => [
        key,
        tokenOf(collectionId),
        title,
        headings,
        text,
        stemsOf(title),
        stemsOf(headings),
        stemsOf(text),
      ])
      // One parameter for all rows: SQLite reads it faster than a thousand of them are bound.
      await tx.execute(sql`insert or replace into fragment_words
        (rowid, collection, title, headings, text, title_stems, heading_stems, text_stems)
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
        from json_each(${JSON.stringify(rows)})`)
    },

    async remove(tx, keys) {
      if (keys.length === 0) return
      await tx.execute(
        sql`delete from fragment_words where rowid in (select value from json_each(${JSON.stringify(keys)}))`,
      )
    },

    async search(collectionId, query, limit, among) {
      const { words, english } = readQuery(query)
      const terms = words
        .slice(0, mostWords)
        .map((word) => (english || isWrittenWithoutSpaces(word) ? byStem(word) : byPrefix(word)))
      if (terms.length === 0) return []
      const match = `collection : "${tokenOf(collectionId)}" AND (${terms.join(' OR ')})`
      const most = BigInt(Math.floor(limit))
      if (among) return search.all<KeyScore>(findAmong, [match, JSON.stringify([...among]), most])
      return search.all<KeyScore>(find, [match, most])
    },
  }
}

/** One word for FTS5, whatever the id holds. */
function tokenOf(collectionId: string): string {
  return `c${Buffer.from(collectionId).toString('hex')}`
}

function byStem(word: string): string {
  const alternatives = [...new Set(stemsOf(word).split(' '))]
    .filter((stem) => stem !== '')
    .map((stem) => `${stems} : ${quoted(stem)}`)
  return [`${plain} : ${quoted(word)}`, ...alternatives].join(' OR ')
}

function byPrefix(word: string): string {
  const characters = [...word]
  const term =
    characters.length > prefixLength && !word.includes('_')
      ? `${quoted(characters.slice(0, prefixLength).join(''))} *`
      : quoted(word)
  return `${plain} : ${term}`
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}
