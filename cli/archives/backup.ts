import { existsSync } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../../server/config/config'
import { createBackup } from '../../server/services/backup/backup'
import { stampOf } from '../../server/services/backup/scheduled-backups'
import { verifyBackup } from '../../server/services/backup/verify'
import { type Cli, examples, globalsOf } from '../cli'
import { printJson, printLines, UsageError } from '../io'
import { loadApp } from '../open-app'
import { productVersion } from '../version'

export function addBackup(program: Command, { io }: Cli): void {
  const command = program.command('backup')
  addVerify(command, io)
  command
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

function addVerify(backup: Command, io: Cli['io']): void {
  backup
    .command('verify')
    .summary('check an archive without restoring it')
    .description(
      'Reads a whole archive: whether it is complete, whether each file has its checksum, and whether the database opens and is sound. Needs room for the database in the data folder. Nothing is restored.',
    )
    .argument('<archive>', 'an archive made by backup')
    .addHelpText('after', examples('backup verify sitelore-backup-2026-01-31-235959.tar.gz'))
    .action(async (file: string, _options: object, command: Command) => {
      const archive = resolve(io.folder, file)
      if (!existsSync(archive)) throw new UsageError(`There is no file ${archive}.`)
      const report = await verifyBackup(archive, readConfig(io.environment, io.root).dataDir)
      if (globalsOf(command).json) return printJson(io, { ok: true, ...report })
      printLines(io, [
        `The archive is complete and sound: ${report.files} ${report.files === 1 ? 'file' : 'files'} of ${report.created_at}, made by version ${report.version}.`,
        ...(report.has_checksums ? [] : ['It has no checksums, because an older version made it.']),
      ])
    })
}
