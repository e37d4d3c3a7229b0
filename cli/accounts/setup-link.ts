import type { Command } from 'commander'
import { type Cli, examples, globalsOf } from '../cli'
import { CommandError, printJson, printLines } from '../io'
import { withApp } from '../open-app'

export function addSetupLink(program: Command, { io }: Cli): void {
  program
    .command('setup-link')
    .summary('print the link for the first account')
    .description(
      'Prints a new link that creates the first account, the administrator. It works once within 24 hours and replaces the previous link.',
    )
    .addHelpText('after', examples('setup-link'))
    .action(async (_options: object, command: Command) => {
      const link = await withApp(io, (app) => app.identity.setupLink())
      if (link === null) {
        throw new CommandError(
          'An account already exists. Use: sitelore users reset <e-mail>, or users promote <e-mail>.',
        )
      }
      if (globalsOf(command).json) printJson(io, { link })
      else printLines(io, [link])
    })
}
