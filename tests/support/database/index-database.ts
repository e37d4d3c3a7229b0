import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Database } from '../../../db/database'
import { openSqlite } from '../../../db/sqlite'
import { createSearchThreads, type SearchThreads } from '../../../server/adapters/search-threads'
import { textIndexTables } from '../../../server/adapters/text-index/tables'
import { vectorIndexTables } from '../../../server/adapters/vector-index/tables'

export interface IndexDatabase {
  database: Database
  search: SearchThreads
  file: string
  close(): Promise<void>
}

/** A database in a folder of its own that holds nothing but the two indexes, with threads that search it. */
export async function openIndexDatabase({
  threads = 1,
  rehearse = true,
  keywordCacheBytes = 2 ** 22,
} = {}): Promise<IndexDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'sitelore-index-'))
  const file = join(folder, 'index.db')
  const engine = openSqlite(file)
  await engine.exclusive(async (run) => {
    for (const table of [...textIndexTables, ...vectorIndexTables])
      await run({ sql: table, params: [], rows: 'arrays' })
  })
  const database = createDatabase(engine, { rehearse })
  const search = createSearchThreads({ file, count: threads, keywordCacheBytes })
  return {
    database,
    search,
    file,
    async close() {
      await search.close()
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}
