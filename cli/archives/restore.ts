import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../../server/config/config'
import { restoreBackup } from '../../server/services/backup/restore'
import { type Cli, examples, globalsOf } from '../cli'
import { printJson, printLines, UsageError } from '../io'
import { loadApp } from '../open-app'

export function addRestore(program: Command, { io }: Cli): void {
  program
    .command('restore')
    .summary('restore a backup')
    .description('Checks an archive and restores its data. Stop the server first.')
    .argument('<file>', 'an archive made by backup')
    .option('--force', 'move existing data aside, into a folder next to it')
    .addHelpText(
      'after',
      examples('restore sitelore-backup-2026-01-31-235959.tar.gz', 'restore sitelore.tar.gz --force'),
    )
    .action(async (file: string, options: { force?: boolean }, command: Command) => {
      const archive = resolve(io.folder, file)
      if (!existsSync(archive)) throw new UsageError(`There is no file ${archive}.`)
      const config = readConfig(io.environment, io.root)
      if (config.cluster) {
        const restored = await (await loadApp()).restoreCluster(config, archive)
        if (globalsOf(command).json) return printJson(io, restored)
        return printLines(io, [
          `Restored ${restored.files} missing ${restored.files === 1 ? 'file' : 'files'} of the backup of ${restored.created_at}, and its secrets. The database is restored with pg_restore, before the server starts.`,
          'Then run: sitelore search-index rebuild',
        ])
      }
      const report = await restoreBackup(config, { archive, force: options.force === true })
      if (globalsOf(command).json) return printJson(io, report)
      printLines(io, [
        `Restored the backup of ${report.created_at}, made by version ${report.version}.`,
        ...(report.aside ? [`The previous data is in ${report.aside}`] : []),
        ...(report.older ? ['The next start copies the database and updates it to this version.'] : []),
      ])
    })
}
