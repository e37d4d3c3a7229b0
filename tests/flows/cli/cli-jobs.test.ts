import { beforeEach, describe, expect, it } from 'vitest'
import type { JobsOfKind } from '../../../contract/views/health'
import { jobs } from '../../../db/schema/jobs'
import { openTestApp } from '../../support/app'
import { createTestCli, type TestCli } from '../../support/cli'

type NewJob = typeof jobs.$inferInsert

const time = (minute: number) => new Date(Date.UTC(2026, 0, 31, 12, minute))

describe('jobs', () => {
  let cli: TestCli
  beforeEach(async () => {
    cli = await createTestCli()
  })

  async function store(...rows: Omit<NewJob, 'payload'>[]): Promise<void> {
    const { app } = await openTestApp({ DATA_DIR: cli.dataDir })
    await app.db.write((tx) => tx.insert(jobs).values(rows.map((row) => ({ ...row, payload: {} }))))
    await app.close()
  }

  it('says when there are none', async () => {
    expect(await cli.run(['jobs', 'list'])).toMatchObject({
      code: 0,
      out: 'No jobs are queued, running or failed.\n',
      err: '',
    })
    expect((await cli.run(['jobs', '--json'])).json()).toEqual({ jobs: [] })
  })

  it('counts them by kind, with the oldest, the oldest lease and the last error', async () => {
    await store(
      { kind: 'crawl-source', createdAt: time(7) },
      { kind: 'crawl-source', createdAt: time(3), status: 'running', leasedUntil: time(41) },
      { kind: 'crawl-source', createdAt: time(5), status: 'running', leasedUntil: time(40) },
      { kind: 'mail-link', createdAt: time(1), status: 'failed', error: 'The first error.' },
      { kind: 'mail-link', createdAt: time(2), status: 'failed', error: 'The mail server is unreachable.' },
      // Has failed, and is tried again.
      { kind: 'reindex-text', createdAt: time(9), attempts: 1, error: 'Not for good.' },
    )
    const { code, out, err } = await cli.run(['jobs'])
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n')).toEqual([
      'crawl-source  1 queued, 2 running, 0 failed, oldest of 2026-01-31T12:03:00, lease until 2026-01-31T12:40:00',
      'mail-link  0 queued, 0 running, 2 failed, oldest of 2026-01-31T12:01:00: The mail server is unreachable.',
      'reindex-text  1 queued, 0 running, 0 failed, oldest of 2026-01-31T12:09:00',
      '',
    ])
    const found = (await cli.run(['jobs', 'list', '--json'])).json() as { jobs: JobsOfKind[] }
    expect(found.jobs[0]).toEqual({
      kind: 'crawl-source',
      queued: 1,
      running: 2,
      failed: 0,
      oldest_at: time(3).toISOString(),
      oldest_lease: time(40).toISOString(),
      error: null,
    })
    expect(found.jobs.map(({ kind, error }) => [kind, error])).toEqual([
      ['crawl-source', null],
      ['mail-link', 'The mail server is unreachable.'],
      ['reindex-text', null],
    ])
  })
})
