import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { desc, inArray, isNull, like } from 'drizzle-orm'
import * as sqliteVec from 'sqlite-vec'
import { expect, test } from 'vitest'
import { createDatabase } from '../../db/database'
import { inspectSqlite } from '../../db/inspect'
import { migrate } from '../../db/migrate'
import { migrationsFolder, openDatabase } from '../../db/open'
import { addresses, fragments, visits } from '../../db/schema/addresses'
import { runs } from '../../db/schema/collections'
import { organizations } from '../../db/schema/organizations'
import { openSqlite } from '../../db/sqlite'
import { SQLite } from '../../db/sqlite-driver'
import { createSearchThreads } from '../../server/adapters/search-threads'
import { createSqliteTextIndex } from '../../server/adapters/text-index/text-index'
import { parseQuery } from '../../server/engine/search/query/parse-query'
import { createTextReindexing } from '../../server/services/indexing/reindex-text'
import { reportsOf } from '../../server/services/runs/run-report'
import { keysInTextIndex } from '../support/database/indexed-keys'
import { tablesOf } from '../support/database/migrated-tables'

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

/** A copy of the migrations, with a journal that `change` edits. */
async function migrationsWith(change: (journal: Journal, folder: string) => Promise<void> | void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sitelore-migrations-'))
  await cp(migrationsFolder(), folder, { recursive: true })
  const file = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(await readFile(file, 'utf8')) as Journal
  await change(journal, folder)
  await writeFile(file, JSON.stringify(journal))
  return folder
}

/** A copy of a database that version 0.1.0 made, with rows in every table. */
async function databaseOf010(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'sitelore-upgrade-')), 'product.db')
  const packed = new URL('../fixtures/databases/0.1.0.db.gz', import.meta.url)
  await writeFile(file, gunzipSync(await readFile(packed)))
  return file
}

const ownTables = "name not like 'sqlite_%'"
/** Tables whose rows are no content: what an upgrade did, and what it lists for later. */
const notContent = ['migrations', 'text_index_backlog', 'text_index_partitions']

interface Rows {
  [table: string]: Record<string, unknown>[]
}

/** All rows of the product's own tables, without what an index keeps inside its own. */
function rowsOf(file: string): Rows {
  const connection = new SQLite(file, { readonly: true })
  const tables = connection
    .prepare(
      "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' and name not like 'sqlite_%' and name not like 'fragment_words_%' and name not like 'fragment_vectors%'",
    )
    .pluck()
    .all()
    .map(String)
  const rows = tables.map((name) => [name, connection.prepare(`select * from "${name}"`).all().map(readable)])
  connection.close()
  return Object.fromEntries(rows)
}

/** A row whose binary values are text, which is compared quickly. */
function readable(row: unknown): Record<string, unknown> {
  const entries = Object.entries(row as Record<string, unknown>)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString('base64') : value]),
  )
}

function vectorsOf(file: string): Record<string, unknown>[] {
  const connection = new SQLite(file, { readonly: true })
  sqliteVec.load(connection)
  const rows = connection.prepare('select key, vector from fragment_vectors order by key').all().map(readable)
  connection.close()
  return rows
}

test('a database of version 0.1.0 is upgraded with all of its rows', async () => {
  const file = await databaseOf010()
  const before = rowsOf(file)
  const vectors = vectorsOf(file)
  expect(vectors.length).toBeGreaterThan(0)
  const empty = Object.keys(before).filter((table) => before[table]?.length === 0)
  expect(empty).toEqual([])

  await (await openDatabase(file)).close()
  const after = rowsOf(file)
  for (const [table, rows] of Object.entries(before)) {
    if (notContent.includes(table)) continue
    const columns = Object.keys(after[table]?.[0] ?? {})
    const kept = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column))),
    )
    const now = after[table]?.map((row) =>
      Object.fromEntries(Object.keys(kept[0] ?? {}).map((name) => [name, row[name]])),
    )
    expect([table, now]).toEqual([table, kept])
  }
  expect(vectorsOf(file)).toEqual(vectors)
  const connection = new SQLite(file, { readonly: true })
  const counts =
    'select vectors, (select count(*) from fragment_vectors where place / 256 = chunk_id) from vector_chunks'
  expect(connection.prepare(counts).raw().all()).toEqual([[2, 2]])
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(connection.pragma('foreign_key_check')).toEqual([])
  connection.close()

  const fresh = join(await mkdtemp(join(tmpdir(), 'sitelore-upgrade-')), 'fresh.db')
  await (await openDatabase(fresh)).close()
  expect(tablesOf(file, ownTables)).toEqual(tablesOf(fresh, ownTables))
})

test('an upgraded database answers a search, and takes new content', async () => {
  const file = await databaseOf010()
  const database = await openDatabase(file)
  const threads = createSearchThreads({ file })
  const text = createSqliteTextIndex({ search: threads })
  const reindexing = createTextReindexing({ db: database, indexes: { text } })
  while ((await reindexing.indexNext()) > 0);
  expect(keysInTextIndex(file)).toHaveLength(await database.read.$count(fragments))
  const [fragment] = await database.read.select().from(fragments).where(like(fragments.text, '%lamp%'))
  const query = parseQuery('lamp', { count: () => 1 }, [])
  const { hits } = await text.search(fragment?.collectionId ?? '', query, 10)
  expect(hits.map(({ key }) => key)).toContain(fragment?.key)
  await threads.close()
  const [added] = await database.write((tx) => tx.insert(organizations).values({ name: 'New' }).returning())
  expect(added).toMatchObject({ name: 'New', visitorDailyShare: 10 })
  await database.close()
})

test('reports of runs, and what a run in progress had claimed, are upgraded', async () => {
  const file = await databaseOf010()
  const connection = new SQLite(file)
  const [over, open] = connection.prepare('select run_id from addresses order by url').pluck().all() as string[]
  const exclusions = { 'rejected:timeout': 2, 'rejected:duplicate': 3, 'withdrawn:noindex': 1, 'skipped:trap': 4 }
  connection
    .prepare('update runs set checked = 9, unchanged = 2, failed = 2, withdrawn = 1, exclusions = ? where id = ?')
    .run(JSON.stringify(exclusions), over)
  connection.prepare('update runs set finished_at = null where id = ?').run(open)
  connection
    .prepare(
      "update addresses set status = 'crawling', status_before = 'idle', reason = 'rate-limited', message = 'Busy.', attempts = 1, claimed_at = 7 where run_id = ?",
    )
    .run(open)
  const columns = 'organization_id, collection_id, source_id, run_id, depth, updated_at, created_at'
  const add = connection.prepare(
    `insert into addresses (id, url, status, status_before, reason, reason_before, ${columns}) select ?, ?, ?, ?, ?, ?, ${columns} from addresses where run_id = ? limit 1`,
  )
  add.run('new', 'https://a.example/new', 'pending', null, null, null, open)
  add.run('over', 'https://a.example/over', 'pending', 'limit', null, 'over-limit', open)
  add.run('gone', 'https://a.example/gone', 'fail', 'idle', 'not-found', null, open)
  connection.close()

  const { read, close } = await openDatabase(file)
  const reports = await reportsOf(
    read,
    await read
      .select()
      .from(runs)
      .where(inArray(runs.id, [over ?? '', open ?? '']))
      .orderBy(desc(runs.finishedAt)),
  )
  const ended = reports.find(({ id }) => id === over)
  expect(ended).toMatchObject({
    checked: 9,
    fetched: 1,
    new: 1,
    unchanged: 2,
    failed: 2,
    canonicalized: 3,
    withdrawn: 1,
  })
  expect(ended).toMatchObject({
    rejected: [
      { reason: 'duplicate', count: 3 },
      { reason: 'timeout', count: 2 },
    ],
    ...{ withdrawals: [{ reason: 'noindex', count: 1 }], skipped: [{ reason: 'trap', count: 4 }] },
  })
  expect(reports.find(({ id }) => id === open)).toMatchObject({ checked: 1, failed: 1, finished_at: null })
  const found = await read
    .select({ url: visits.url, attempts: visits.attempts, reason: visits.reason, takesRoom: visits.takesRoom })
    .from(visits)
    .where(isNull(visits.outcome))
    .orderBy(visits.url)
  expect(found.map(({ attempts, reason, takesRoom }) => [attempts, reason, takesRoom])).toEqual([
    [1, 'rate-limited', false],
    [0, null, false],
    [0, null, true],
  ])
  const statuses = await read
    .select({ status: addresses.status, reason: addresses.reason })
    .from(addresses)
    .where(
      inArray(
        addresses.url,
        found.map(({ url }) => url),
      ),
    )
    .orderBy(addresses.url)
  expect(statuses.slice(0, 1)).toContainEqual({ status: 'idle', reason: null })
  expect(statuses.slice(-2)).toEqual([
    { status: 'new', reason: null },
    { status: 'limit', reason: 'over-limit' },
  ])
  await close()
})

test('a database from before the first migration is refused in true words, and is not touched', async () => {
  const file = await databaseOf010()
  const connection = new SQLite(file)
  connection.exec("update migrations set hash = 'of a development version'")
  connection.close()
  const before = rowsOf(file)
  await expect(openDatabase(file)).rejects.toThrow(
    'The database was made by a development version before 0.1; it cannot be upgraded.',
  )
  expect(rowsOf(file)).toEqual(before)
  expect(inspectSqlite(file, { full: false }).schema).toBe('unsupported')
})

test('a database of a newer version is refused', async () => {
  const file = await databaseOf010()
  const connection = new SQLite(file)
  connection.exec("insert into migrations (hash) values ('of tomorrow')")
  connection.close()
  await expect(openDatabase(file)).rejects.toThrow('A newer version of Sitelore created the database.')
})

test('a migration that rebuilds a table keeps the rows that refer to it, and is applied once', async () => {
  const file = await databaseOf010()
  // With the migrations that came after 0.1.0.
  await (await openDatabase(file)).close()
  const before = new SQLite(file, { readonly: true })
  const definition = before.prepare("select sql from sqlite_master where name = 'sources'").pluck().get() as string
  before.close()
  const later = await migrationsWith(async (journal, folder) => {
    const when = Math.max(...journal.entries.map((entry) => entry.when)) + 1
    const idx = journal.entries.length
    journal.entries.push({ idx, version: '6', when, tag: `${idx}_rebuild`, breakpoints: true })
    const statements = [
      definition.replace('`sources`', 'sources_copy'),
      'insert into sources_copy select * from sources',
      'drop table sources',
      'alter table sources_copy rename to sources',
    ]
    await writeFile(join(folder, `${idx}_rebuild.sql`), statements.join(';\n--> statement-breakpoint\n'))
  })
  for (let start = 1; start <= 2; start++) {
    const engine = openSqlite(file)
    await migrate(engine, later)
    await createDatabase(engine).close()
  }
  const connection = new SQLite(file, { readonly: true })
  expect(connection.prepare('select count(*) from sources').pluck().get()).toBe(6)
  expect(connection.prepare('select count(*) from fragments').pluck().get()).toBe(6)
  connection.close()
})

test('keeps one of two running jobs of one key, which an older version allowed, in an upgrade', async () => {
  const file = await databaseOf010()
  const old = new SQLite(file)
  const add = old.prepare(
    "insert into jobs (id, kind, payload, status, dedupe_key, attempts, run_after, leased_until, created_at) values (?, 'crawl-source', '{}', 'running', ?, 0, 0, 0, 0)",
  )
  for (const [id, key] of [
    ['a', 'crawl 1'],
    ['b', 'crawl 1'],
    ['c', 'crawl 2'],
    ['d', null],
    ['e', null],
  ])
    add.run(id, key)
  old.close()
  await (await openDatabase(file)).close()
  const upgraded = new SQLite(file, { readonly: true })
  expect(upgraded.prepare('select id from jobs where length(id) = 1 order by id').pluck().all()).toEqual([
    'a',
    'c',
    'd',
    'e',
  ])
  upgraded.close()
})
