import type { Command } from 'commander'
import { threadExport } from '../../contract/texts/chat/thread-export'
import { system } from '../../server/actor'
import { isAppError } from '../../server/errors'
import { chooseOrganization, everyPage } from '../accounts/organization'
import { type Cli, examples, globalsOf } from '../cli'
import { printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'

/** Adds `threads`. */
export function addThreads(program: Command, { io }: Cli): void {
  const threads = program
    .command('threads')
    .summary('list and export threads')
    .description('Lists the threads; with export it prints one as JSON.')
    .addHelpText('after', examples('threads', 'threads export 2Qd7hTqkJ0nZ > thread.json'))

  threads
    .command('list', { isDefault: true })
    .description('Lists the threads, the newest first.')
    .addHelpText('after', examples('threads list', 'threads list --json'))
    .action(async (_options: object, command: Command) => {
      const { organization, json } = globalsOf(command)
      const all = await withApp(io, async (app) => {
        const organizationId = await chooseOrganization(app, organization)
        return everyPage((page) => app.services.threads.list(system, organizationId, { page, limit: 100 }))
      })
      if (json) return printJson(io, { threads: all })
      if (all.length === 0) return printLines(io, ['There are no threads yet.'])
      printLines(
        io,
        all.map(({ id, created_at, title }) => [id, created_at.slice(0, 16).replace('T', ' '), title].join('  ')),
      )
    })

  threads
    .command('export')
    .description('Prints a thread with its messages as one JSON document, like Save as JSON.')
    .argument('<id>', 'as threads list shows it')
    .addHelpText('after', examples('threads export 2Qd7hTqkJ0nZ > thread.json'))
    .action(async (threadId: string, _options: object, command: Command) => {
      const { organization } = globalsOf(command)
      const thread = await withApp(io, async (app) => {
        const organizationId = await chooseOrganization(app, organization)
        return app.services.threads.get(system, { organizationId, threadId }).catch((error: unknown) => {
          if (isAppError(error) && error.code === 'not_found') throw new UsageError(`There is no thread '${threadId}'.`)
          throw error
        })
      })
      printJson(io, threadExport(thread))
    })
}
