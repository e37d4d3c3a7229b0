import type { HealthView } from '../../../contract/views/health'
import type { Tone } from '../ui/feedback/status-badge'
import { formatBytes, formatCount, formatCounted } from '../ui/format'

export interface HealthCheck {
  name: string
  tone: Tone
  /** What was found. */
  value: string
  /** A time that is shown in place of the value. */
  time?: string
}

/** A backup that is older than this is a warning. */
const maxBackupAgeMs = 8 * 86_400_000

/** The parts of an installation, each with its state in a few words. */
export function healthChecks(health: HealthView, sendsMail: boolean): HealthCheck[] {
  return [
    databaseCheck(health),
    indexCheck(health),
    embeddingCheck(health),
    ...backupCheck(health),
    {
      name: 'Providers',
      tone: health.failing_agents.total > 0 ? 'warning' : 'success',
      value:
        health.failing_agents.total > 0
          ? `${formatCounted(health.failing_agents.total, 'agent')} failing`
          : 'No errors',
    },
    { name: 'E-mail', tone: sendsMail ? 'success' : 'neutral', value: sendsMail ? 'Configured' : 'Not configured' },
  ]
}

function databaseCheck({ database }: HealthView): HealthCheck {
  const { damage, bytes } = database
  return { name: 'Database', tone: damage ? 'danger' : 'success', value: damage ?? formatBytes(bytes) }
}

function indexCheck({ search_index: index, backlog }: HealthView): HealthCheck {
  if (index === null) {
    const waiting = backlog.not_in_text_index
    return {
      name: 'Index',
      tone: waiting > 0 ? 'running' : 'success',
      value: waiting > 0 ? `${formatCount(waiting)} waiting` : 'Current',
    }
  }
  const isDown = index.status === 'red' || index.status === 'away'
  return {
    name: 'Index',
    tone: isDown ? 'danger' : index.is_current ? 'success' : 'warning',
    value: isDown ? 'Searches fail' : formatCounted(index.documents, 'fragment'),
  }
}

function embeddingCheck({ embedding, backlog }: HealthView): HealthCheck {
  if (embedding === 'starting') return { name: 'Embedding', tone: 'running', value: 'Starting' }
  if ('unavailable' in embedding) return { name: 'Embedding', tone: 'warning', value: embedding.unavailable }
  const waiting = backlog.without_vector
  return {
    name: 'Embedding',
    tone: waiting > 0 ? 'running' : 'success',
    value: waiting > 0 ? `${formatCount(waiting)} waiting` : embedding.model,
  }
}

/** PostgreSQL has its own backups. */
function backupCheck({ database, last_backup: backup, backups }: HealthView): HealthCheck[] {
  if (database.kind !== 'sqlite') return []
  if (backups.failure) return [{ name: 'Backup', tone: 'danger', value: `Failed: ${backups.failure.message}` }]
  if (backup === null) return [{ name: 'Backup', tone: 'warning', value: 'None recorded' }]
  const isOld = Date.now() - Date.parse(backup.created_at) > maxBackupAgeMs
  return [
    {
      name: 'Backup',
      tone: isOld ? 'warning' : 'success',
      value: formatBytes(backup.bytes),
      time: backup.created_at,
    },
  ]
}
