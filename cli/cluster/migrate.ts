import type { Command } from 'commander'
import { type Cli, examples, globalsOf } from '../cli'
import { printJson, printLines } from '../io'
import { withApp } from '../open-app'

/** Adds `migrate`. */
export function addMigrate(program: Command, { io }: Cli): void {
  program
    .command('migrate')
    .summary('create or update the tables and the search index')
    .description(
      'Creates the tables of the database or updates them to this version, as the start of the server does, and ends. Waits for another process that does the same.',
    )
    .addHelpText('after', examples('migrate'))
    .action(async (_options: object, command: Command) => {
      const version = await withApp(io, async (app) => app.version)
      if (globalsOf(command).json) printJson(io, { version })
      else printLines(io, [`The database is that of version ${version}.`])
    })
}
