import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import * as tar from 'tar'
import { beforeAll, describe, expect, it } from 'vitest'
import { SQLite } from '../../../db/sqlite-driver'
import { system } from '../../../server/actor'
import { createTestApp, openTestApp } from '../../support/app'
import { createTestCli, type TestCli } from '../../support/cli'
import { lampSite } from '../../support/sites/site'

const secretNames = ['cookie.key', 'sealing.key', 'signing.json']

/** The command line on an empty data folder. */
async function newCli(): Promise<TestCli> {
  return createTestCli({ DATA_DIR: await mkdtemp(join(tmpdir(), 'sitelore-new-')) })
}

/** What the Health page says of the last backup. */
async function lastBackupOf({ dataDir }: TestCli) {
  const { app } = await openTestApp({ DATA_DIR: dataDir })
  const { last_backup: backup } = await app.services.admin.health(system)
  await app.close()
  return backup
}

describe('backup and restore', () => {
  let cli: TestCli
  let archive: string
  let folder: string

  beforeAll(async () => {
    const site = await lampSite()
    cli = await createTestCli()
    await cli.run(['index', site.origin, '--type', 'domain'])
    await site.close()
    await mkdir(join(cli.dataDir, 'files', 'a'), { recursive: true })
    await writeFile(join(cli.dataDir, 'files', 'a', 'manual.pdf'), 'a file')
    await mkdir(join(cli.dataDir, 'files', 'incoming'))
    await writeFile(join(cli.dataDir, 'files', 'incoming', 'half'), 'half an upload')
    folder = await mkdtemp(join(tmpdir(), 'sitelore-backup-'))
    archive = join(folder, 'one.tar.gz')
  })

  it('writes one archive that only this user can read, while a server writes', async () => {
    const server = await createTestApp({ DATA_DIR: cli.dataDir })
    let writing = true
    let written = 0
    const writer = (async () => {
      for (; writing; written++) {
        await server.app.services.organizations.create(system, { name: `Number ${written}`, entity_name: '' })
        await setImmediate()
      }
    })()
    const { code, json } = await cli.run(['backup', '--to', archive, '--json'])
    writing = false
    await writer
    await server.close()
    expect(code).toBe(0)
    expect(written).toBeGreaterThan(0)
    const { mode, size } = await stat(archive)
    expect(mode & 0o777).toBe(0o600)
    expect(json()).toMatchObject({ file: archive, bytes: size })
    expect(await readdir(folder)).toEqual([basename(archive)])
    expect((await readdir(cli.dataDir)).filter((name) => name.startsWith('.'))).toEqual([])
    const names: string[] = []
    await tar.list({ file: archive, onReadEntry: ({ path }) => names.push(path) })
    const folders = [
      'files/',
      'files/a/',
      'files/a/manual.pdf',
      'secrets/',
      ...secretNames.map((name) => `secrets/${name}`),
    ]
    // The manifest is the first entry, so that it can be read without the rest.
    expect(names.slice(0, 2)).toEqual(['manifest.json', 'sitelore.db'])
    expect(names.slice(2).toSorted()).toEqual(folders)
  })

  it('never overwrites an archive, and fails without data to back up', async () => {
    const again = await cli.run(['backup', '--to', archive])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('already exists')])
    const empty = await (await newCli()).run(['backup', '--to', join(folder, 'empty.tar.gz')])
    expect([empty.code, empty.err]).toEqual([1, expect.stringContaining('nothing to back up')])
  })

  it('tells operators when the last backup was written, and how large it is', async () => {
    const note = join(cli.dataDir, 'last-backup.json')
    const written = (await cli.run(['backup', '--to', join(folder, 'two.tar.gz'), '--json'])).json()
    expect(await lastBackupOf(cli)).toEqual({
      created_at: written.created_at,
      bytes: written.bytes,
      verified: false,
    })
    expect((await stat(note)).mode & 0o777).toBe(0o600)
    for (const text of ['', '{}', '{"created_at":"yesterday","bytes":-1}']) {
      await writeFile(note, text)
      expect(await lastBackupOf(cli)).toBeNull()
    }
    // What operators see is no reason to fail.
    await rm(note)
    await mkdir(note)
    expect((await cli.run(['backup', '--to', join(folder, 'three.tar.gz')])).code).toBe(0)
    expect(await lastBackupOf(cli)).toBeNull()
    await rm(note, { recursive: true })
  })

  it('knows of no backup before the first one, and after a restore', async () => {
    const otherCli = await newCli()
    await otherCli.run(['setup-link'])
    expect(await lastBackupOf(otherCli)).toBeNull()
    await otherCli.run(['backup', '--to', join(folder, 'four.tar.gz')])
    expect(await lastBackupOf(otherCli)).not.toBeNull()
    expect((await otherCli.run(['restore', archive, '--force'])).code).toBe(0)
    expect(await lastBackupOf(otherCli)).toBeNull()
  })

  it('restores everything into an empty folder', async () => {
    const otherCli = await newCli()
    const { code, out } = await otherCli.run(['restore', archive])
    expect(out).toMatch(/^Restored the backup of 20\d\d-/)
    expect(code).toBe(0)
    expect(await readFile(join(otherCli.dataDir, 'files', 'a', 'manual.pdf'), 'utf8')).toBe('a file')
    for (const name of secretNames) {
      const [before, after] = [join(cli.dataDir, 'secrets', name), join(otherCli.dataDir, 'secrets', name)]
      expect(await readFile(after, 'utf8')).toBe(await readFile(before, 'utf8'))
      expect((await stat(after)).mode & 0o777).toBe(0o600)
    }
    // The concurrent server created the organizations; the pages belong to the first one.
    const organization = ['--organization', 'Local']
    const [before, after] = [
      await cli.run(['search', 'battery', '--json', ...organization]),
      await otherCli.run(['search', 'battery', '--json', ...organization]),
    ]
    expect(after.json()).toEqual(before.json())
    expect((after.json().fragments as unknown[]).length).toBeGreaterThan(0)
    expect((await readdir(otherCli.dataDir)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('replaces existing data only with --force, and keeps a copy', async () => {
    const otherCli = await newCli()
    await otherCli.run(['setup-link'])
    const key = await readFile(join(otherCli.dataDir, 'secrets', 'sealing.key'), 'utf8')
    const refused = await otherCli.run(['restore', archive])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--force')])
    const { code, json } = await otherCli.run(['restore', archive, '--force', '--json'])
    expect(code).toBe(0)
    const aside = String(json().aside)
    expect(dirname(aside)).toBe(otherCli.dataDir)
    expect(await readFile(join(aside, 'secrets', 'sealing.key'), 'utf8')).toBe(key)
    expect(await readdir(aside)).toContain('sitelore.db')
    expect((await otherCli.run(['search', 'battery', '--organization', 'Local'])).code).toBe(0)
  })

  it('does not touch the database of another program', async () => {
    const otherCli = await newCli()
    const file = join(otherCli.dataDir, 'sitelore.db')
    const database = new SQLite(file)
    database.exec('create table songs (title text)')
    database.close()
    const bytes = await readFile(file)
    expect((await otherCli.run(['restore', archive])).err).toContain('--force')
    expect(await readdir(otherCli.dataDir)).toEqual(['sitelore.db'])
    expect((await readFile(file)).equals(bytes)).toBe(true)
  })

  it('refuses to restore while a server uses the folder', async () => {
    const otherCli = await newCli()
    const server = await createTestApp({ DATA_DIR: otherCli.dataDir })
    const { code, err } = await otherCli.run(['restore', archive, '--force'])
    expect([code, err]).toEqual([1, expect.stringContaining('Stop it first')])
    await server.close()
    expect((await otherCli.run(['restore', archive, '--force'])).code).toBe(0)
  })

  it('does not restore the workers that ran during the backup', async () => {
    const otherCli = await newCli()
    await otherCli.run(['restore', archive])
    expect((await otherCli.run(['restore', archive, '--force'])).code).toBe(0)
  })

  describe('rejects an archive that', () => {
    let unpacked: string
    beforeAll(async () => {
      unpacked = join(folder, 'unpacked')
      await mkdir(unpacked)
      await tar.extract({ file: archive, cwd: unpacked })
    })

    async function restoreOf(change: (copy: string) => Promise<string[]>) {
      const copy = await mkdtemp(join(folder, 'copy-'))
      await tar.extract({ file: archive, cwd: copy })
      const names = await change(copy)
      const file = `${copy}.tar.gz`
      await tar.create({ file, gzip: true, cwd: copy, portable: true, preservePaths: true }, names)
      const otherCli = await newCli()
      const answer = await otherCli.run(['restore', file])
      return { ...answer, left: await readdir(otherCli.dataDir) }
    }
    const whole = ['manifest.json', 'sitelore.db', 'files', 'secrets']

    it('contains a path outside the folder', async () => {
      const outside = join(folder, 'copy-outside.txt')
      await writeFile(outside, 'outside')
      const { code, err, left } = await restoreOf(async () => [...whole, '../copy-outside.txt'])
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('has an entry that does not belong to a backup (../copy-outside.txt)'),
      ])
      expect(left).toEqual([])
    })

    it('contains a symbolic link', async () => {
      const { code, err, left } = await restoreOf(async (copy) => {
        await symlink('/etc', join(copy, 'files', 'etc'))
        return whole
      })
      expect([code, err]).toEqual([2, expect.stringContaining('(files/etc)')])
      expect(left).toEqual([])
    })

    it('was made by a newer version', async () => {
      const { code, err, left } = await restoreOf(async (copy) => {
        const db = new SQLite(join(copy, 'sitelore.db'))
        db.exec("insert into migrations (hash) values ('of tomorrow')")
        db.close()
        return whole
      })
      expect([code, err]).toEqual([2, expect.stringContaining('newer version')])
      expect(left).toEqual([])
    })

    it('is damaged', async () => {
      const { code, err } = await restoreOf(async (copy) => {
        const bytes = await readFile(join(copy, 'sitelore.db'))
        bytes.fill(0x5a, 8_192, 40_000)
        await chmod(join(copy, 'sitelore.db'), 0o600)
        await writeFile(join(copy, 'sitelore.db'), bytes)
        return whole
      })
      expect([code, err]).toEqual([2, expect.stringMatching(/its database (is damaged|cannot be read)/)])
    })

    it('is truncated or not an archive', async () => {
      const otherCli = await newCli()
      const cut = join(folder, 'cut.tar.gz')
      const bytes = await readFile(archive)
      await writeFile(cut, bytes.subarray(0, bytes.length / 2))
      expect(await otherCli.run(['restore', cut])).toMatchObject({
        code: 2,
        err: expect.stringContaining('cannot be restored'),
      })
      await writeFile(cut, 'a letter')
      expect(await otherCli.run(['restore', cut])).toMatchObject({
        code: 2,
        err: expect.stringContaining('cannot be restored'),
      })
      const missing = await restoreOf(async () => ['manifest.json', 'secrets'])
      expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('no sitelore.db') })
    })
  })
})
