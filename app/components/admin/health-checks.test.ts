import { expect, it } from 'vitest'
import type { HealthView } from '../../../contract/views/health'
import { healthChecks } from './health-checks'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** An installation that works, with these backups. */
function healthOf(changes: Partial<HealthView>): HealthView {
  return {
    database: { kind: 'sqlite', bytes: 1_000, wal_bytes: 0, damage: null },
    search_index: null,
    backlog: { without_vector: 0, not_in_text_index: 0 },
    embedding: { model: 'tiny' },
    failing_agents: { total: 0, docs: [] },
    last_backup: null,
    backups: { next_at: null, failure: null },
    ...changes,
  } as HealthView
}

function backupOf(changes: Partial<HealthView>) {
  return healthChecks(healthOf(changes), true).find(({ name }) => name === 'Backup')
}

it('warns without a backup, and of an old one', () => {
  expect(backupOf({})).toMatchObject({ tone: 'warning', value: 'None recorded' })
  const old = { created_at: daysAgo(9), bytes: 2_048, verified: true }
  expect(backupOf({ last_backup: old })).toMatchObject({ tone: 'warning', time: old.created_at })
  const recent = { ...old, created_at: daysAgo(1) }
  expect(backupOf({ last_backup: recent })).toMatchObject({ tone: 'success', value: '2 KB' })
})

it('says that the last scheduled backup failed, whenever another one was made', () => {
  const last_backup = { created_at: daysAgo(1), bytes: 2_048, verified: true }
  const failure = { at: daysAgo(0), message: 'AccessDenied' }
  const backups = { next_at: daysAgo(0), failure }
  expect(backupOf({ last_backup, backups })).toMatchObject({ tone: 'danger', value: 'Failed: AccessDenied' })
})

it('has no backups of PostgreSQL', () => {
  expect(backupOf({ database: { kind: 'postgresql', bytes: 1, wal_bytes: null, damage: null } })).toBeUndefined()
})
