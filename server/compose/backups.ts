import { Cron } from 'croner'
import { createFolderArchives } from '../adapters/backup/folder-archives'
import type { BackupSettings } from '../config/backup-settings'
import type { ArchiveStore } from '../engine/ports/archive-store'

/** When backups are due, in the time zone of the server. */
export function planOf({ schedule, keep }: BackupSettings) {
  const cron = new Cron(schedule, { paused: true })
  return { keep, next: (after: Date) => cron.nextRun(after) }
}

/** Opens where archives are kept. The SDK of S3 is loaded only if it is needed. */
export async function openArchives({ to }: BackupSettings): Promise<ArchiveStore> {
  if (to.kind === 'folder') return createFolderArchives(to.folder)
  return (await import('../adapters/backup/s3-archives')).createS3Archives(to)
}
