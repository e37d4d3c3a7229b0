import type { Command } from 'commander'
import type { VisitorKey } from '../../contract/chat/visitor'
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
    .summary('list, export and erase threads')
    .description('Lists the threads; with export it prints one as JSON, with erase it deletes those of a visitor.')
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
  threads
    .command('erase')
    .description(
      'Deletes every conversation of one visitor, with its messages. This cannot be undone. The audit log says how many were deleted, and not whose.',
    )
    .option('--user <id>', "the visitor's id, as the website sends it")
    .option('--email <address>', "the visitor's e-mail address, as the website sends it")
    .option('--session <id>', "the visitor's session, as the website sends it")
    .option('--thread <id>', "one of the visitor's conversations; those with the same ids are deleted, too")
    .addHelpText('after', examples('threads erase --email ada@example.com', 'threads erase --user 4711'))
    .action(async (options: Partial<Record<VisitorKey, string>>, command: Command) => {
      const { organization, json } = globalsOf(command)
      const [chosen, ...more] = Object.entries(options) as [VisitorKey, string][]
      if (!chosen || more.length > 0 || chosen[1].trim() === '')
        throw new UsageError('Name the visitor by one of --user, --email, --session and --thread.')
      const erased = await withApp(io, async (app) =>
        app.services.eraseVisitor(system, await chooseOrganization(app, organization), ...chosen),
      )
      if (json) return printJson(io, { erased })
      printLines(io, [`Deleted ${erased} ${erased === 1 ? 'conversation' : 'conversations'}.`])
    })
}
