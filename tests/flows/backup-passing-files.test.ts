import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copySqlite } from '../../db/sqlite'
import { createBackup } from '../../server/services/backup/backup'
import { restoreBackup } from '../../server/services/backup/restore'
import { createFileCollection, type FileCollection } from '../support/file-sources'

// The folder of files is looked at before the database is copied and after it: what comes and goes in between is in neither.

const during = { copies: 0, before: () => {}, after: () => {} }

function copyDatabase(file: string, target: string): void {
  during.copies++
  if (during.copies === 1) during.before()
  copySqlite(file, target)
  if (during.copies === 1) during.after()
}

let here: FileCollection
beforeEach(async () => {
  Object.assign(during, { copies: 0, before: () => {}, after: () => {} })
  here = await createFileCollection()
  await here.upload('old.csv', 'the old bytes')
})
afterEach(() => here.test.close())

const folder = () => join(here.test.dataDir, 'files')
const namesIn = async (path: string) => (await readdir(path)).filter((name) => name !== 'incoming')

/** Backs up and restores; what the database of the restored data knows, and what its folder has. */
async function saved() {
  const { dataDir, databaseFile } = here.test.app.config
  const archive = join(await mkdtemp(join(tmpdir(), 'sitelore-backup-')), 'one.tar.gz')
  await createBackup({ dataDir, databaseFile }, { target: archive, version: '0', copyDatabase })
  const other = await mkdtemp(join(tmpdir(), 'sitelore-restored-'))
  await restoreBackup({ dataDir: other, databaseFile: join(other, 'sitelore.db') }, { archive, force: false })
  const database = new SQLite(join(other, 'sitelore.db'), { readonly: true })
  const known = database.prepare('select id from files').pluck().all()
  database.close()
  return { known, there: await namesIn(join(other, 'files')) }
}

it('a file that exists only while the database is copied is not in the backup', async () => {
  const [own] = await namesIn(folder())
  const database = new SQLite(here.test.app.config.databaseFile)
  const passing = crypto.randomUUID()
  during.before = () => {
    writeFileSync(join(folder(), passing), 'the new bytes')
    const columns = 'organization_id, source_id, name, type, bytes, sha256, created_at'
    const copy = `insert into files (id, is_waiting, ${columns}) select ?, 1, ${columns} from files`
    database.prepare(copy).run(passing)
  }
  during.after = () => {
    database.prepare('delete from files where id = ?').run(passing)
    rmSync(join(folder(), passing))
  }
  expect(await saved()).toEqual({ known: [own], there: [own] })
  expect(during.copies).toBe(2)
  database.close()
})

it('files whose bytes are missing do not prevent the backup of the others', async () => {
  const [own = ''] = await namesIn(folder())
  rmSync(join(folder(), own))
  expect(await saved()).toEqual({ known: [own], there: [] })
})
