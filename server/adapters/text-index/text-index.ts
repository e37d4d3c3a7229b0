import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import type { TextIndex } from '../../engine/ports/search-index'
import type { SearchThreads } from '../search-threads'
import { partitionPrefix, partitionTerm, termsOfFragment } from './terms'

/** Keyword search in SQLite's FTS5, ranked by BM25 over title (3), headings (2) and text (1). */
export function createSqliteTextIndex({ search }: { search: SearchThreads }): TextIndex<Transaction> {
  return {
    async add(tx, fragments) {
      if (fragments.length === 0) return
      const partitions = await partitionsOf(tx, new Set(fragments.map(({ collectionId }) => collectionId)))
      const rows = fragments.map(({ key, collectionId, ...texts }) => {
        const prefix = partitionPrefix(partitions.get(collectionId) ?? missingPartition())
        const { words, stems } = termsOfFragment(texts, prefix)
        return [key, partitionTerm(prefix), ...words, ...stems]
      })
      // One parameter for all rows: SQLite parses it faster than a thousand parameters are bound.
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
      if (among?.size === 0) return { hits: [], expansions: new Map() }
      const keys = among ? Float64Array.from(among) : null
      return search.keywords({ collectionId, query, limit: Math.floor(limit), among: keys })
    },
  }
}

/** Numbers collections at their first fragment; the number never changes. */
async function partitionsOf(tx: Transaction, collectionIds: Set<string>): Promise<Map<string, number>> {
  const ids = JSON.stringify([...collectionIds])
  await tx.execute(sql`insert into text_index_partitions (collection_id) select value from json_each(${ids})
    where true on conflict do nothing`)
  const rows = await tx.execute<{ collection_id: string; number: number }>(
    sql`select collection_id, number from text_index_partitions where collection_id in (select value from json_each(${ids}))`,
  )
  return new Map(rows.map((row) => [row.collection_id, row.number]))
}

function missingPartition(): never {
  throw new Error('The collection has no partition in the text index.')
}
