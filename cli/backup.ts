import { access, constants, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../server/config/config'
import { createBackup } from '../server/services/backup/backup'
import { type Cli, examples, globalsOf } from './cli'
import { printJson, printLines } from './io'
import { loadApp } from './open-app'
import { productVersion } from './version'

export function addBackup(program: Command, { io }: Cli): void {
  program
    .command('backup')
    .summary('back up the database, files and secrets')
    .description(
      'Writes the database, files, secrets and your own models to one archive. The server can keep running. The archive contains secrets: protect it like the data folder. With PostgreSQL, the archive has files and secrets alone.',
    )
    .option(
      '--to <file>',
      'where to write it (default: sitelore-backup-<date>.tar.gz in this folder, or in the folder backups of the data folder if this one cannot be written to)',
    )
    .addHelpText('after', examples('backup', 'backup --to /mnt/backups/sitelore.tar.gz'))
    .action(async (options: { to?: string }, command: Command) => {
      const config = readConfig(io.environment, io.root)
      const now = new Date()
      const folder = options.to === undefined ? await folderFor(io.folder, config.dataDir) : io.folder
      const target = resolve(folder, options.to ?? `sitelore-backup-${stampOf(now)}.tar.gz`)
      const backup = { target, version: productVersion(), signal: io.signal, now }
      const report = config.cluster
        ? await (await loadApp()).backUpCluster(config, config.cluster, backup)
        : await createBackup(config, backup)
      if (globalsOf(command).json) return printJson(io, report)
      printLines(io, [
        `${report.file}  ${(report.bytes / 1e6).toFixed(1)} MB`,
        ...(config.cluster
          ? ["The database is not in it. Back it up first, with pg_dump --format=custom or your provider's snapshots."]
          : []),
      ])
    })
}

/** Returns the folder for a backup. In a container, only the data folder can be written to. */
async function folderFor(caller: string, dataDir: string): Promise<string> {
  const isWritable = await access(caller, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (isWritable) return caller
  const backups = join(dataDir, 'backups')
  await mkdir(backups, { recursive: true, mode: 0o700 })
  return backups
}

/** '2026-01-31-235959', so that two backups of a day have different names. */
function stampOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
}
