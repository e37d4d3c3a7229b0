import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import type { TextIndex } from '../../engine/ports'
import type { SearchThreads } from '../threads/search-threads'
import { type QueryWords, searchWords } from './keyword-search'
import { createWordQueries } from './queries'
import { placeTerm, prefixOf, termsOfFragment } from './terms'

export interface SqliteTextIndexOptions {
  search: SearchThreads
  readQuery(query: string): QueryWords
}

/** Words in SQLite's FTS5, ranked by BM25 over title (3), headings (2) and text (1). */
export function createSqliteTextIndex({ search, readQuery }: SqliteTextIndexOptions): TextIndex<Transaction> {
  const queries = createWordQueries(search)

  return {
    async add(tx, fragments) {
      if (fragments.length === 0) return
      const numbers = await numbersOf(tx, new Set(fragments.map(({ collectionId }) => collectionId)))
      const rows = fragments.map(({ key, collectionId, ...texts }) => {
        const prefix = prefixOf(numbers.get(collectionId) ?? unnumbered())
        const { words, stems } = termsOfFragment(texts, prefix)
        return [key, placeTerm(prefix), ...words, ...stems]
      })
      // One parameter for all rows: SQLite reads it faster than a thousand of them are bound.
      await tx.execute(sql`insert or replace into fragment_words
        (rowid, place, title, headings, text, title_stems, heading_stems, text_stems)
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
      const collection = await queries.numberOf(collectionId)
      if (collection === undefined || among?.size === 0) return { hits: [], instead: new Map() }
      const read = readQuery(query)
      return searchWords(queries, { prefix: prefixOf(collection), among }, read, query, Math.floor(limit))
    },
  }
}

/** A collection has its number from its first fragment on, for ever. */
async function numbersOf(tx: Transaction, collectionIds: Set<string>): Promise<Map<string, number>> {
  const ids = JSON.stringify([...collectionIds])
  await tx.execute(sql`insert into text_index_partitions (collection_id) select value from json_each(${ids})
    where true on conflict do nothing`)
  const rows = await tx.execute<{ collection_id: string; number: number }>(
    sql`select collection_id, number from text_index_partitions where collection_id in (select value from json_each(${ids}))`,
  )
  return new Map(rows.map((row) => [row.collection_id, row.number]))
}

function unnumbered(): never {
  throw new Error('A collection has no number among the words.')
}
