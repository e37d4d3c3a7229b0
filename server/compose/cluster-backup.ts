import { openDatabase } from '../../db/open'
import type { ClusterSettings } from '../config/cluster-settings'
import type { Config } from '../config/config'
import { fingerprintsOf, openSecrets, parseSecrets, SecretsError, shareKeys, writeSecrets } from '../identity/secrets'
import { type ClusterRestoreReport, createClusterBackup, restoreClusterBackup } from '../services/backup/cluster-backup'
import type { BackupReport } from '../services/backup/pack'
import { createFileStore } from './store'

/** Writes files and secrets of a cluster to an archive; see `services/backup`. */
export async function backUpCluster(
  config: Config,
  cluster: ClusterSettings,
  options: { target: string; version: string; signal: AbortSignal; now: Date },
): Promise<BackupReport> {
  const secrets = config.secrets
    ? parseSecrets(config.secrets)
    : openSecrets(config.secretsDir, { isDatabaseInUse: true })
  const fileStore = createFileStore(config)
  const db = await openDatabase(cluster.database.url, { maxConnections: 2 })
  try {
    return await createClusterBackup(config.dataDir, {
      ...options,
      db,
      fileStore,
      writeSecrets: (folder) => writeSecrets(folder, secrets),
    })
  } finally {
    await db.close()
    await fileStore.close()
  }
}

/** Stores the files of an archive that are missing, and its secrets where the environment has none. */
export async function restoreCluster(config: Config, archive: string): Promise<ClusterRestoreReport> {
  const fileStore = createFileStore(config)
  try {
    await fileStore.assertUsable()
    return await restoreClusterBackup(config.dataDir, {
      archive,
      fileStore,
      useSecrets(folder) {
        const archived = openSecrets(folder, { isDatabaseInUse: true })
        if (!config.secrets) return writeSecrets(config.secretsDir, archived)
        if (!shareKeys(fingerprintsOf(archived), fingerprintsOf(parseSecrets(config.secrets))))
          throw new SecretsError(
            'SITELORE_SECRET_COOKIE: these are not the secrets of the backup. Without the three variables, restore writes those of the backup to the data folder.',
          )
      },
    })
  } finally {
    await fileStore.close()
  }
}
