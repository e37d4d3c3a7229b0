import type { Command } from 'commander'
import { type Cli, examples, globalsOf } from './cli'
import { printJson, printLines } from './io'
import { withApp } from './open-app'
import { createProgress } from './runs/progress'

/** Adds `optimize`. */
export function addOptimize(program: Command, { io }: Cli): void {
  program
    .command('optimize')
    .summary('shrink the database and speed up search')
    .description(
      'Merges the keyword index, updates the statistics of the database, and gives free space back to the disk. The server can keep running. A database that version 0.1 created shrinks only while the server is stopped, once; afterwards also while it runs.',
    )
    .option('--rebuild-index', 'index the texts of all fragments again; searches find them meanwhile')
    .addHelpText('after', examples('optimize', 'optimize --rebuild-index'))
    .action(async (options: { rebuildIndex?: boolean }, command: Command) => {
      const { json = false } = globalsOf(command)
      const progress = createProgress(io, { json })
      const report = await withApp(io, (app, server) =>
        app.services.optimizer.optimize(
          { isAlone: server === null, rebuildsIndex: options.rebuildIndex === true },
          (label, done, total) => progress.show({ label, done, total }),
          io.signal,
        ),
      ).finally(progress.end)
      if (json) return printJson(io, report)
      const { before, after, merged, kept } = report
      printLines(io, [
        `The database has ${megabytes(after)}, ${megabytes(before)} before. ${merged} ${merged === 1 ? 'merge' : 'merges'} of the keyword index.`,
        ...(kept > 0
          ? [`${megabytes(kept)} in it are free. Stop the server and run this command once more to give them back.`]
          : []),
      ])
    })
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
