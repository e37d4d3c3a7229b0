import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copySqlite } from '../../../db/sqlite'
import { SQLite } from '../../../db/sqlite-driver'
import { createBackup } from '../../../server/services/backup/backup'
import { restoreBackup } from '../../../server/services/backup/restore'
import { createFileCollection, type FileCollection } from '../../support/files/file-sources'

// A backup lists the files before and after it copies the database, so a file that exists only in between is omitted.

const during = { copies: 0, before: () => {}, after: () => {} }

function copyDatabase(file: string, target: string): void {
  during.copies++
  if (during.copies === 1) during.before()
  copySqlite(file, target)
  if (during.copies === 1) during.after()
}

let collection: FileCollection
beforeEach(async () => {
  Object.assign(during, { copies: 0, before: () => {}, after: () => {} })
  collection = await createFileCollection()
  await collection.upload('old.csv', 'the old bytes')
})
afterEach(() => collection.test.close())

const folder = () => join(collection.test.dataDir, 'files')
const namesIn = async (path: string) => (await readdir(path)).filter((name) => name !== 'incoming')

/** Backs up and restores. Returns the file rows of the restored database and the files of its folder. */
async function saved() {
  const { dataDir, databaseFile } = collection.test.app.config
  const archive = join(await mkdtemp(join(tmpdir(), 'sitelore-backup-')), 'one.tar.gz')
  await createBackup({ dataDir, databaseFile }, { target: archive, version: '0', copyDatabase })
  const otherText = await mkdtemp(join(tmpdir(), 'sitelore-restored-'))
  await restoreBackup({ dataDir: otherText, databaseFile: join(otherText, 'sitelore.db') }, { archive, force: false })
  const database = new SQLite(join(otherText, 'sitelore.db'), { readonly: true })
  const known = database.prepare('select id from files').pluck().all()
  database.close()
  return { known, there: await namesIn(join(otherText, 'files')) }
}

it('omits a file that exists only while the database is copied', async () => {
  const [own] = await namesIn(folder())
  const database = new SQLite(collection.test.app.config.databaseFile)
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

it('backs up the other files when the bytes of some are missing', async () => {
  const [own = ''] = await namesIn(folder())
  rmSync(join(folder(), own))
  expect(await saved()).toEqual({ known: [own], there: [] })
})
