import { join } from 'node:path'
import { createSearchThreads } from '../../../server/adapters/search-threads'
import { createSqliteTextIndex } from '../../../server/adapters/text-index/text-index'
import { createSqliteVectorIndex } from '../../../server/adapters/vector-index/vector-index'
import { frequentLanguages } from '../../../server/engine/language/frequent-languages'
import type { Embedder, Tokenizer } from '../../../server/engine/ports/search-index'
import type { IndexedFragment, SearchIndex } from '../../../server/engine/search/hybrid-search'

/** Opens a collection that a server crawled into its data folder, by name. Null if there is none. */
export async function openSite(
  { dataDir, database, collection }: { dataDir: string; database: string; collection: string },
  { embedder, tokenizer }: { embedder: Embedder; tokenizer: Tokenizer },
) {
  const search = createSearchThreads({ file: join(dataDir, database) })
  const [row] = await search.all<{ id: string }>('select id from collections where name = ? and deleted_at is null', [
    collection,
  ])
  if (!row) {
    await search.close()
    return null
  }
  const spoken = await search.all<{ language: string; count: number }>(
    'select language, count(*) as count from fragments where collection_id = ? group by language',
    [row.id],
  )
  const index: SearchIndex<IndexedFragment> = {
    languages: frequentLanguages(new Map(spoken.map(({ language, count }) => [language, count]))),
    textIndex: createSqliteTextIndex({ search }),
    vectorIndex: createSqliteVectorIndex({ search }),
    embedder,
    tokenizer,
    ranker: search,
    loadFragments: (keys) =>
      search.all<IndexedFragment>(
        `select key, address_id as addressId, title, headings, inner_headings as innerHeadings, text,
           fragments.language, url from fragments
         join addresses on addresses.id = fragments.address_id where key in (select value from json_each(?))`,
        [JSON.stringify(keys)],
      ),
    countPendingEmbeddings: async (collectionId, model) => {
      const [found] = await search.all<{ count: number }>(
        'select count(*) as count from fragments where collection_id = ? and vector_model is not ?',
        [collectionId, model ?? ''],
      )
      return found?.count ?? 0
    },
  }
  const [count] = await search.all<{ pages: number; fragments: number }>(
    'select count(*) as fragments, count(distinct address_id) as pages from fragments where collection_id = ?',
    [row.id],
  )
  return {
    collectionId: row.id,
    index,
    pages: count?.pages ?? 0,
    fragments: count?.fragments ?? 0,
    pendingEmbeddings: await index.countPendingEmbeddings(row.id, embedder.model),
    /** The path below the root of the host, as the gold pages are named; the index pages that hold the answers do not count. */
    pageOf(fragment: IndexedFragment): string | null {
      const path = new URL(fragment.url).pathname.slice(1)
      return /(^|\/)(genindex[^/]*|contents\.html)$/.test(path) ? null : path
    },
    close: () => search.close(),
  }
}
