import type { BackupRequest } from '../../server/adapters/backup/backup-thread'
import { createBackup } from '../../server/services/backup/backup'
import { verifyBackup } from '../../server/services/backup/verify'
import { lowerPriority } from './lower-priority'
import { answerRequests } from './worker-protocol'

lowerPriority()

answerRequests<BackupRequest, { bytes: number; created_at: string }>(
  async ({ dataDir, databaseFile, target, version }) => {
    const { bytes, created_at } = await createBackup({ dataDir, databaseFile }, { target, version, isNoted: false })
    await verifyBackup(target, dataDir)
    return { response: { bytes, created_at } }
  },
  () => {},
)
