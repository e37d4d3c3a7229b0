import { chmod, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as tar from 'tar'
import { afterEach, describe, expect, it } from 'vitest'
import { engine } from '../../../db/engine'
import { system } from '../../../server/actor'
import { openTestApp } from '../../support/app'
import { createTestCli } from '../../support/cli'
import { startObjectStore } from '../../support/cluster/object-store'

const open = new AbortController().signal
const time = (text: string) => new Date(`2026-11-${text}Z`)
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(environment: Record<string, string> = {}) {
  const to = join(await mkdtemp(join(tmpdir(), 'sitelore-backups-')), 'archives')
  const { app, dataDir } = await openTestApp({
    BACKUP_SCHEDULE: '0 3 * * *',
    BACKUP_KEEP: '2',
    BACKUP_TO: to,
    METRICS_TOKEN: 'token-of-the-test',
    ...environment,
  })
  closing.push(() => app.close())
  const { scheduledBackups, admin } = app.services
  await app.services.organizations.create(system, { name: 'Lamps', entity_name: '' })
  return {
    app,
    dataDir,
    to,
    names: async () => (await readdir(to).catch(() => [])).sort(),
    run: (text: string) => scheduledBackups.runDue(open, time(text)),
    health: () => admin.health(system),
    state: (text: string) => scheduledBackups.state(time(text)),
  }
}

// PostgreSQL has backups of its own.
describe.runIf(engine === 'sqlite')('scheduled backups', () => {
  it('are made at their times, verified, and the oldest are deleted', async () => {
    const { run, names, to, health, dataDir } = await start()
    await run('20T12:00:00')
    expect(await names()).toEqual([])
    await run('20T12:10:00')
    expect(await names()).toEqual([])
    for (const day of ['21', '22', '23']) {
      await run(`${day}T12:00:00`)
      await run(`${day}T12:01:00`)
    }
    await writeFile(join(to, 'notes.txt'), 'mine')
    await run('24T12:00:00')
    expect(await names()).toEqual([
      'notes.txt',
      'sitelore-backup-2026-11-23-120000.tar.gz',
      'sitelore-backup-2026-11-24-120000.tar.gz',
    ])
    const { last_backup: last, backups } = await health()
    expect(last).toMatchObject({ verified: true })
    expect(backups.failure).toBeNull()
    expect(Date.parse(backups.next_at ?? '')).toBeGreaterThan(0)
    expect((await readdir(dataDir)).filter((name) => name.startsWith('.staging-'))).toEqual([])
    const cli = await createTestCli()
    const verified = await cli.run(['backup', 'verify', join(to, 'sitelore-backup-2026-11-24-120000.tar.gz'), '--json'])
    expect(verified.json()).toMatchObject({ ok: true, has_checksums: true })
  })

  it('say why one failed, and try again after an hour', async () => {
    const store = await startObjectStore('backups')
    closing.push(() => store.close())
    const { run, state, app } = await start({
      BACKUP_TO: 's3://backups/lamps',
      S3_ENDPOINT: store.endpoint,
      S3_ACCESS_KEY_ID: 'the-key',
      S3_SECRET_ACCESS_KEY: 'the-secret',
    })
    await run('20T12:00:00')
    store.failure = { status: 403, code: 'AccessDenied' }
    await run('21T12:00:00')
    expect(await state('21T12:10:00')).toEqual({
      next_at: time('21T13:00:00').toISOString(),
      failure: { at: time('21T12:00:00').toISOString(), message: expect.stringContaining('AccessDenied') },
    })
    expect((await app.readMetrics()).text).toContain('sitelore_backup_failures_total 1')
    store.failure = null
    await run('21T12:30:00')
    expect(store.objects.size).toBe(0)
    await run('21T13:00:00')
    expect([...store.objects.keys()]).toEqual(['lamps/sitelore-backup-2026-11-21-130000.tar.gz'])
    expect((await state('21T13:01:00')).failure).toBeNull()
  })

  it('run one at a time', async () => {
    const { run, names } = await start()
    await run('20T12:00:00')
    await Promise.all([run('21T12:00:00'), run('21T12:00:01')])
    expect(await names()).toEqual(['sitelore-backup-2026-11-21-120000.tar.gz'])
  })

  it('are not made without a schedule', async () => {
    const { run, names, state } = await start({ BACKUP_SCHEDULE: '', BACKUP_TO: '' })
    await run('20T12:00:00')
    await run('25T12:00:00')
    expect(await names()).toEqual([])
    expect(await state('25T12:00:00')).toEqual({ next_at: null, failure: null })
  })
})

describe.runIf(engine === 'sqlite')('backup verify', () => {
  async function archiveOf() {
    const cli = await createTestCli()
    const folder = await mkdtemp(join(tmpdir(), 'sitelore-verify-'))
    const archive = join(folder, 'one.tar.gz')
    expect((await cli.run(['backup', '--to', archive])).code).toBe(0)
    return { cli, folder, archive, verify: (file = archive) => cli.run(['backup', 'verify', file]) }
  }

  it('says that a sound archive is sound', async () => {
    const { verify } = await archiveOf()
    expect((await verify()).out).toContain('The archive is complete and sound: 4 files of ')
  })

  it('finds an archive that is cut off, altered, or not one of ours', async () => {
    const { verify, archive, folder } = await archiveOf()
    const bytes = await readFile(archive)
    const cut = join(folder, 'cut.tar.gz')
    await writeFile(cut, bytes.subarray(0, bytes.length - 200))
    expect(await verify(cut)).toMatchObject({ code: 2, err: expect.stringContaining('not a complete .tar.gz archive') })
    await tar.extract({ file: archive, cwd: folder })
    const key = join(folder, 'secrets', 'cookie.key')
    await chmod(key, 0o600)
    await writeFile(key, 'another key')
    const altered = join(folder, 'altered.tar.gz')
    await tar.create({ file: altered, cwd: folder, gzip: true }, ['manifest.json', 'sitelore.db', 'secrets'])
    expect((await verify(altered)).err).toContain('secrets/cookie.key is damaged')
    expect((await verify(join(folder, 'manifest.json'))).code).toBe(2)
    expect((await verify(join(folder, 'missing.tar.gz'))).err).toContain('There is no file')
  })

  it('finds a database whose pages are damaged, although its checksum is right', async () => {
    const { verify, archive, folder } = await archiveOf()
    await tar.extract({ file: archive, cwd: folder })
    const file = join(folder, 'sitelore.db')
    const bytes = await readFile(file)
    bytes.fill(7, 4096 * 3, 4096 * 6)
    await writeFile(file, bytes)
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
    delete manifest.checksums
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    const damaged = join(folder, 'damaged.tar.gz')
    await tar.create({ file: damaged, cwd: folder, gzip: true }, ['manifest.json', 'sitelore.db', 'secrets'])
    expect(await verify(damaged)).toMatchObject({ code: 2, err: expect.stringContaining('database is damaged') })
  })
})
