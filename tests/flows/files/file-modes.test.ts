import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { engine } from '../../../db/engine'
import { copySqlite } from '../../../db/sqlite'
import { system } from '../../../server/actor'
import { readConfig } from '../../../server/config/config'
import { createBackup } from '../../../server/services/backup/backup'
import { createTestApp, type TestApp } from '../../support/app'

let umask: number
beforeEach(() => {
  umask = process.umask(0o022)
})
afterEach(() => {
  process.umask(umask)
})

function newFolder(mode: number): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'sitelore-modes-')), 'data')
  mkdirSync(folder)
  chmodSync(folder, mode)
  return folder
}

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

/** Everything below a folder that others may read, write or enter. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).mode & 0o077)
}

async function use({ app, dataDir }: TestApp): Promise<void> {
  await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const staged = await app.services.files.receive('lamps.txt', bytesOf('All lamps.'))
  await app.services.files.discard(staged)
  const download = await app.downloads.open()
  await createBackup(app.config, { target: join(dataDir, 'backup.tar.gz'), version: '0' })
  copySqlite(app.config.databaseFile, join(dataDir, 'sitelore.db.before-migration'))
  expect(openToOthers(dataDir)).toEqual([])
  await download.remove()
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

it.runIf(engine === 'sqlite')(
  'creates files that only their owner can access, also in a folder that was open to others',
  async () => {
    const folder = newFolder(0o755)
    const running = await createTestApp({ DATA_DIR: folder })
    expect(modeOf(folder)).toBe('700')
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['sitelore.db', 'sitelore.db-wal', 'sitelore.db-shm']))
    await use(running)
    await running.close()
  },
)

it.runIf(engine === 'sqlite')('restricts a database that others could read', async () => {
  const folder = newFolder(0o755)
  const first = await createTestApp({ DATA_DIR: folder })
  // While it runs, its log and its shared memory are there, too.
  for (const name of readdirSync(folder)) if (name.startsWith('sitelore.db')) chmodSync(join(folder, name), 0o644)
  const second = await createTestApp({ DATA_DIR: folder })
  expect(openToOthers(folder)).toEqual([])
  await first.close()
  await second.close()
})

it('does not restrict a folder that contains other files', () => {
  const shared = newFolder(0o1777)
  readConfig({ DATA_DIR: shared })
  expect(modeOf(shared)).toBe('1777')
  const root = newFolder(0o755)
  writeFileSync(join(root, 'package.json'), '{}')
  const model = join(root, 'models', 'all-MiniLM-L6-v2')
  mkdirSync(model, { recursive: true })
  writeFileSync(join(model, 'config.json'), '{}')
  readConfig({ DATA_DIR: '.' }, root)
  expect(modeOf(root)).toBe('755')
})
