import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createDatabase } from '../../db/database'
import { migrate } from '../../db/migrate'
import { migrationsFolder, openDatabase } from '../../db/open'
import { addresses, fragments } from '../../db/schema/addresses'
import { collections, sources } from '../../db/schema/collections'
import { organizations } from '../../db/schema/organizations'
import { openSqlite } from '../../db/sqlite'
import { tablesOf } from '../support/migrated-tables'

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

const initialOnly = () => migrationsWith((journal) => void journal.entries.splice(1))

/** A database of the first version that was released, with a row in each table that others refer to. */
async function openInitial(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'sitelore-upgrade-')), 'product.db')
  const engine = openSqlite(file)
  await migrate(engine, await initialOnly())
  const insert = (statement: string) =>
    engine.exclusive(async (run) => {
      await run({ sql: statement, params: [], rows: 'arrays' })
    })
  await insert(`insert into organizations (id, name, created_at) values ('o', 'Lamps', 1)`)
  await insert(`insert into collections (id, organization_id, name, created_at) values ('c', 'o', 'Shop', 1)`)
  await insert(`insert into sources (id, organization_id, collection_id, type, name, status, created_at)
    values ('s', 'o', 'c', 'url', 'Page', 'idle', 1)`)
  await insert(`insert into addresses (id, organization_id, collection_id, source_id, url, status, updated_at, created_at)
    values ('a', 'o', 'c', 's', 'https://lamps.example/', 'idle', 1, 1)`)
  await insert(`insert into fragments (id, organization_id, collection_id, source_id, address_id, ordinal, title, headings,
    text, hash, tokens, created_at) values ('f', 'o', 'c', 's', 'a', 0, 'Lamps', '', 'Red lamps', 'h', 3, 1)`)
  await engine.close()
  return file
}

test('a database of the first version is upgraded with all of its rows', async () => {
  const file = await openInitial()
  const database = await openDatabase(file)
  const found = await database.read
    .select({ organization: organizations.name, url: addresses.url, text: fragments.text })
    .from(fragments)
    .innerJoin(addresses, eq(addresses.id, fragments.addressId))
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .innerJoin(collections, eq(collections.id, sources.collectionId))
    .innerJoin(organizations, eq(organizations.id, collections.organizationId))
  expect(found).toEqual([{ organization: 'Lamps', url: 'https://lamps.example/', text: 'Red lamps' }])
  await database.close()

  const fresh = join(await mkdtemp(join(tmpdir(), 'sitelore-upgrade-')), 'fresh.db')
  await (await openDatabase(fresh)).close()
  expect(tablesOf(file, 'true')).toEqual(tablesOf(fresh, 'true'))
})

test('a migration that rebuilds a table keeps the rows that refer to it, and is applied once', async () => {
  const file = await openInitial()
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
  expect(connection.prepare('select id from sources').pluck().all()).toEqual(['s'])
  expect(connection.prepare('select id from fragments').pluck().all()).toEqual(['f'])
  connection.close()
})
