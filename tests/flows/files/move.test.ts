import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, send } from '../../../db/copy/table-rows'
import type { Engine } from '../../../db/database'
import { migrate } from '../../../db/migrate'
import { migrationsFolder, openEngine, openSource } from '../../../db/open'
import { SQLite } from '../../../db/sqlite-driver'
import { createFolderStore } from '../../../server/adapters/file-store/folder-store'
import { addVectors } from '../../../server/adapters/vector-index/vector-store'
import { type MoveOptions, move } from '../../../server/services/move/move'
import { createTestApp, openTestApp } from '../../support/app'
import { createTestCli, type TestCli } from '../../support/cli'
import { openPglite } from '../../support/database/pglite'
import { lampSite } from '../../support/sites/site'

const uploaded = 'lamp,price\nStorm 40 lantern,12 euros\n'
/** What only SQLite stores: half of a character and NUL within JSON. */
const unstorable = '{"from":"\\ud800a","to":"b\\u0000","z":[1,{"b":2,"a":1}]}'

describe('move', () => {
  let cli: TestCli
  const folder = () => mkdtemp(join(tmpdir(), 'sitelore-move-'))

  beforeAll(async () => {
    const site = await lampSite()
    cli = await createTestCli()
    await cli.run(['index', site.origin, '--type', 'domain'])
    await site.close()
    const file = join(await folder(), 'prices.csv')
    await writeFile(file, uploaded)
    expect(await cli.run(['index', file])).toMatchObject({ code: 0 })
    const { app } = await openTestApp({ DATA_DIR: cli.dataDir })
    const rows = await app.db.read.execute<{ key: number; collection_id: string }>(
      sql`select key, collection_id from fragments`,
    )
    for (const { key, collection_id: collectionId } of rows)
      await app.db.write((tx) => addVectors(tx, collectionId, [{ key, vector: vectorOf(key) }]))
    await app.close()
    const database = new SQLite(join(cli.dataDir, 'sitelore.db'))
    database.exec(`insert into audit_events (actor_kind, action, subject_id, subject_name, changes, created_at)
        values ('person', 'a', 'b', 'c', '${unstorable}', 1);
      insert into jobs (id, kind, payload, status, leased_until, run_after, created_at)
        values ('running', 'none', '{}', 'running', 99999999999999, 0, 0);
      update sqlite_sequence set seq = 5000 where name = 'fragments'`)
    database.close()
  }, 60_000)

  const search = async (dataDir: string) => {
    const app = await createTestApp({ DATA_DIR: dataDir })
    await app.runner.idle()
    await app.close()
    const found = await (await createTestCli({ DATA_DIR: dataDir })).run([
      'search',
      'lantern',
      '--collection',
      'Files',
      '--json',
    ])
    expect(found).toMatchObject({ code: 0 })
    return found.json()
  }

  it('copies all of an installation to another folder, and leaves the old one as it was', async () => {
    const before = await hashesOf(cli.dataDir)
    const target = join(await folder(), 'data')
    const moved = await cli.run(['move', '--to', target, '--json'])
    expect([moved.code, moved.err]).toEqual([0, expect.any(String)])
    expect(moved.json()).toMatchObject({ files: 1, bytes: uploaded.length, missing: [] })
    expect(await hashesOf(cli.dataDir)).toEqual(before)
    expect(await search(target)).toEqual(await search(cli.dataDir))
    for (const name of await readdir(join(cli.dataDir, 'secrets')))
      expect(JSON.stringify(await readFile(join(target, 'secrets', name), 'utf8')).length).toBeGreaterThan(40)
    expect(await (await cli.run(['move', '--to', target])).err).toContain('already has organizations or people')
  })

  it('refuses what cannot be a target, in one line', async () => {
    const refused = async (...to: string[]) => {
      const { code, err } = await cli.run(['move', '--to', ...to])
      expect(err.trim().split('\n')).toHaveLength(1)
      return [code, err.trim()]
    }
    expect(await refused(cli.dataDir)).toEqual([1, 'The target is this installation.'])
    expect(await refused('/tmp/a', '/tmp/b')).toEqual([2, '--to has two addresses of one kind. Give one of them.'])
    expect(await refused('postgres://127.0.0.1/x')).toEqual([1, expect.stringContaining('SEARCH_URL')])
    expect(await refused('s3://bucket')).toEqual([2, expect.stringContaining('or a data folder')])
    const server = await createTestApp({ DATA_DIR: cli.dataDir })
    expect(await refused(join(await folder(), 'data'))).toEqual([1, expect.stringContaining('Stop it first')])
    await server.close()
  })

  describe('from SQLite to PostgreSQL and back', () => {
    let postgres: Engine
    const close: (() => Promise<unknown>)[] = []

    beforeAll(async () => {
      postgres = openPglite()
      await migrate(postgres, migrationsFolder('postgres'))
      close.push(postgres.close)
    })
    afterAll(async () => {
      for (const end of close) await end()
    })

    async function options(source: Connection, target: Engine, name: Connection['engine']): Promise<MoveOptions> {
      const to = Object.assign(target, { engine: name })
      return {
        source,
        target: to,
        sourceName: 'the first',
        from: createFolderStore(join(cli.dataDir, 'files')),
        to: createFolderStore(join(await folder(), 'files')),
        fingerprints: null,
        show: () => {},
        signal: new AbortController().signal,
        async storeVectors(connection, vectors) {
          for (const { key, vector } of vectors) {
            const row = [key, ...(name === 'sqlite' ? [key] : []), vector]
            const columns = name === 'sqlite' ? 'key, place, vector' : 'key, vector'
            await send(
              connection,
              `insert into fragment_vectors (${columns}) values (${row.map(() => '?').join()})`,
              row,
            )
          }
        },
      }
    }

    it('continues after an interruption, and both have the same rows', async () => {
      const source = await openSource(join(cli.dataDir, 'sitelore.db'))
      close.push(source.close)
      const there = await options(source, postgres, 'postgres')
      const stopping = new AbortController()
      let calls = 0
      const interrupted = move({
        ...there,
        signal: stopping.signal,
        show: () => ++calls === 12 && stopping.abort(),
      })
      await expect(interrupted).rejects.toThrow()
      await expect(move({ ...there, sourceName: 'another' })).rejects.toThrow('Another installation is being moved')
      const { tables, files } = await move(there)
      expect(files).toBe(1)
      expect(tables.fragments).toBeGreaterThan(5)
      expect(tables.fragment_vectors).toBe(tables.fragments)
      const rowsOf = (connection: Connection, text: string) => send(connection, text)
      expect(await rowsOf(there.target, "select status, leased_until from jobs where id = 'running'")).toEqual([
        ['running', 0],
      ])
      expect(
        await rowsOf(there.target, "select changes ->> 'from', changes ->> 'to' from audit_events where action = 'a'"),
      ).toEqual([['\ufffda', 'b']])
      expect(await rowsOf(there.target, 'select count(*) from search_outbox')).toEqual([[tables.fragments]])
      expect(await rowsOf(there.target, "select nextval('fragments_key_seq')")).toEqual([[5001]])
      expect(await rowsOf(there.target, 'select value from settings')).toEqual([])

      const backFile = join(await folder(), 'back.db')
      const target = await openEngine('sqlite', backFile)
      const back = await options(there.target, target, 'sqlite')
      const returned = await move({ ...back, from: there.to ?? there.from })
      expect(returned.tables).toEqual(tables)
      expect(await rowsOf(back.target, 'select count(*) from text_index_backlog')).toEqual([[tables.fragments]])
      expect(await rowsOf(back.target, "select seq from sqlite_sequence where name = 'fragments'")).toEqual([[5001]])
      await target.close()
    })

    it('says which table changed while an interrupted move waited', async () => {
      const file = join(await folder(), 'sitelore.db')
      await writeFile(file, await readFile(join(cli.dataDir, 'sitelore.db')))
      const source = await openSource(file)
      const target = await openEngine('sqlite', join(await folder(), 'target.db'))
      const moving = await options(source, target, 'sqlite')
      const writer = new SQLite(file)
      const show = (step: string) => {
        if (step === 'Copying files') writer.exec("update addresses set meta_title = 'Other'")
      }
      await expect(move({ ...moving, show })).rejects.toThrow('The table addresses is not the same in both')
      writer.close()
      await source.close()
      await target.close()
    })

    it('names a file that was lost before, and refuses one that was changed', async () => {
      const files = await mkdtemp(join(tmpdir(), 'sitelore-files-'))
      const source = await openSource(join(cli.dataDir, 'sitelore.db'))
      const target = await openEngine('sqlite', join(await folder(), 'target.db'))
      const moving = { ...(await options(source, target, 'sqlite')), from: createFolderStore(files) }
      const [[id = ''] = []] = await send(source, 'select id from files')
      await writeFile(join(files, String(id)), 'another text')
      await expect(move(moving)).rejects.toThrow('The file prices.csv')
      await moving.to?.remove(String(id))
      await rm(join(files, String(id)))
      expect(await move(moving)).toMatchObject({ files: 0, missing: ['prices.csv'] })
      await source.close()
      await target.close()
    })
  })
})

function vectorOf(key: number): Float32Array {
  return Float32Array.from({ length: 384 }, (_, n) => Math.sin(key * 384 + n) / 20)
}

async function hashesOf(dataDir: string): Promise<Record<string, string>> {
  const names = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const hashes = names
    .filter(({ name }) => !/-(wal|shm)$/.test(name))
    .map(async ({ name, parentPath }) => {
      const bytes = await readFile(join(parentPath, name))
      return [name, createHash('sha256').update(bytes).digest('hex')] as const
    })
  return Object.fromEntries(await Promise.all(hashes))
}
