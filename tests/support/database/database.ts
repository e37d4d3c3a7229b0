import pg from 'pg'
import { createDatabase, type Database } from '../../../db/database'
import { engine } from '../../../db/engine'
import { migrate } from '../../../db/migrate'
import { migrationsFolder, openDatabase } from '../../../db/open'
import { newDatabaseFile } from './data-folder'

/** A new, empty, migrated database on the engine that this test run is about. */
export async function openTestDatabase(): Promise<{ database: Database; url: string }> {
  const url = await newUrl()
  if (url !== 'postgres:pglite') return { url, database: await openDatabase(url, { rehearse: true }) }
  const { openPglite } = await import('./pglite')
  const pglite = openPglite()
  await migrate(pglite, migrationsFolder())
  return { url, database: createDatabase(pglite, { rehearse: true }) }
}

/** The URL of a new database; for PGlite, which has none, its name. */
export async function newUrl(): Promise<string> {
  if (engine === 'sqlite') return newDatabaseFile()
  const server = process.env.DATABASE_URL ?? ''
  if (server === 'postgres:pglite') return server
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new pg.Client(server)
  await client.connect()
  const template = process.env.TEST_DATABASE_TEMPLATE
  await client.query(`create database ${name}${template ? ` template ${template}` : ''}`)
  await client.end()
  return Object.assign(new URL(server), { pathname: name }).href
}
