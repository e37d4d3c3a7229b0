import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { inspectSqlite } from '../../../db/inspect'
import { SQLite } from '../../../db/sqlite-driver'
import { openSecrets } from '../../../server/identity/secrets'
import { tablesOf } from '../../support/database/migrated-tables'
import { testRandom } from '../../support/test-random'

const kills = 20
/** Each is a database of one version of the product, with rows in every table. */
const versions = new URL('../../fixtures/databases/', import.meta.url)

const ownSecrets = openSecrets(await mkdtemp(join(tmpdir(), 'sitelore-secrets-')))
const secrets = {
  SITELORE_SECRET_COOKIE: ownSecrets.cookieKeys.join(' '),
  SITELORE_SECRET_SIGNING: JSON.stringify(ownSecrets.signingKey),
  SITELORE_SECRET_SEALING: ownSecrets.sealingKeys.map((key) => key.toString('base64url')).join(' '),
}

async function dataFolderOf(version: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sitelore-kill-migration-'))
  await writeFile(join(folder, 'sitelore.db'), gunzipSync(await readFile(new URL(version, versions))))
  return folder
}

/** Starts the update of a data folder, and kills it after `killMs`. Returns how long it ran, and whether it ended by itself. */
async function update(dataDir: string, killMs: number | null): Promise<{ ms: number; isDone: boolean }> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['build/app/cli.js', 'migrate'], {
    env: { ...process.env, ...secrets, NODE_ENV: 'production', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  if (killMs !== null) {
    await Promise.race([sleep(killMs), ended])
    child.kill('SIGKILL')
  }
  const [code] = await ended
  return { ms: performance.now() - startedAt, isDone: code === 0 }
}

/** Rows of every table that has content. */
function countsOf(dataDir: string): Record<string, number> {
  const connection = new SQLite(join(dataDir, 'sitelore.db'), { readonly: true })
  const names = connection
    .prepare(
      "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' and name not like 'sqlite_%' and name not like 'fragment_%' and name not in ('migrations', 'text_index_backlog', 'text_index_partitions', 'plans')",
    )
    .pluck()
    .all()
    .map(String)
  const counts = names.map((name) => [name, Number(connection.prepare(`select count(*) from "${name}"`).pluck().get())])
  connection.close()
  return Object.fromEntries(counts)
}

/** Those that this version updates: the newest may have its tables already. */
const older: string[] = []
for (const name of (await readdir(versions)).filter((file) => file.endsWith('.db.gz'))) {
  const { schema } = inspectSqlite(join(await dataFolderOf(name), 'sitelore.db'), { full: false })
  if (schema === 'older') older.push(name)
  else if (schema !== 'current') throw new Error(`${name} is ${schema}.`)
}

it.each(older)('an update of %s that is killed at any moment starts again, and loses nothing', async (version) => {
  const random = testRandom()
  const whole = await dataFolderOf(version)
  const before = countsOf(whole)
  const { ms, isDone } = await update(whole, null)
  expect(isDone).toBe(true)
  const updated = tablesOf(join(whole, 'sitelore.db'), "name not like 'sqlite_%'")
  let killed = 0
  for (let n = 0; n < kills; n++) {
    const folder = await dataFolderOf(version)
    // Before this, the process only loads its code.
    if (!(await update(folder, ms * (0.3 + 0.7 * random()))).isDone) killed += 1
    expect((await update(folder, null)).isDone).toBe(true)
    const counts = countsOf(folder)
    for (const [table, count] of Object.entries(before)) {
      if (table in counts) expect([table, counts[table]]).toEqual([table, count])
    }
    const connection = new SQLite(join(folder, 'sitelore.db'), { readonly: true })
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(connection.pragma('foreign_key_check')).toEqual([])
    connection.close()
    expect(tablesOf(join(folder, 'sitelore.db'), "name not like 'sqlite_%'")).toEqual(updated)
    // The copy that is ownSecrets before the first change.
    expect((await readdir(folder)).some((name) => name.includes('.before-migration-'))).toBe(true)
  }
  expect(killed).toBeGreaterThan(kills / 2)
})
