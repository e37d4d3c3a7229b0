import { isAbsolute, join, resolve } from 'node:path'
import { Cron } from 'croner'
import { ConfigError } from './config-error'
import { type S3Settings, type S3Variables, s3Settings } from './s3-settings'

/** Where archives go. */
export type BackupTarget = { kind: 'folder'; folder: string } | ({ kind: 's3' } & S3Settings)

export interface BackupSettings {
  /** When backups are made, as in cron, in the time zone of the server. */
  schedule: string
  /** How many archives are kept; older ones are deleted. */
  keep: number
  to: BackupTarget
}

interface Variables extends S3Variables {
  BACKUP_SCHEDULE?: string | undefined
  BACKUP_KEEP: number
  BACKUP_TO?: string | undefined
  DATABASE_URL?: string | undefined
}

/** Null without a schedule: then people make backups with the command. */
export function backupSettings(variables: Variables, dataDir: string, root: string): BackupSettings | null {
  const { BACKUP_SCHEDULE: schedule, BACKUP_TO: to } = variables
  if (schedule === undefined) {
    if (to !== undefined)
      throw new ConfigError('BACKUP_TO: must be set together with BACKUP_SCHEDULE, such as 0 3 * * *.')
    return null
  }
  if (variables.DATABASE_URL !== undefined)
    throw new ConfigError(
      'BACKUP_SCHEDULE: does not work with DATABASE_URL. Back up PostgreSQL with its own tools, and run sitelore backup after them.',
    )
  if (schedule.trim().split(/\s+/).length !== 5 || !isSchedule(schedule))
    throw new ConfigError(
      'BACKUP_SCHEDULE: must have the five fields of cron: minute, hour, day of month, month, day of week. For example 0 3 * * * for every night at 3:00.',
    )
  return { schedule, keep: variables.BACKUP_KEEP, to: targetOf(to ?? join(dataDir, 'backups'), variables, root) }
}

function isSchedule(text: string): boolean {
  try {
    return new Cron(text).nextRun() !== null
  } catch {
    return false
  }
}

function targetOf(text: string, variables: S3Variables, root: string): BackupTarget {
  const s3 = s3Settings('BACKUP_TO', text, variables)
  if (s3) return { kind: 's3', ...s3 }
  return { kind: 'folder', folder: isAbsolute(text) ? text : resolve(root, text) }
}
