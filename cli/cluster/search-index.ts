import type { Command } from 'commander'
import type { App } from '../../server/app'
import type { SearchFeed } from '../../server/engine/ports/search-index'
import { type Cli, examples, globalsOf } from '../cli'
import { CommandError, type Io, printJson, printLines } from '../io'
import { withApp } from '../open-app'
import { createProgress } from '../runs/progress'

/** Adds `search-index`. */
export function addSearchIndex(program: Command, { io }: Cli): void {
  const index = program
    .command('search-index')
    .summary('show or rebuild the index in OpenSearch')
    .description('Shows the index in OpenSearch, and rebuilds it from the database.')
    .addHelpText('after', examples('search-index status', 'search-index rebuild'))

  index
    .command('status', { isDefault: true })
    .description('Shows how the index is, and how many fragments wait to be written to it.')
    .addHelpText('after', examples('search-index status --json'))
    .action(async (_options: object, command: Command) => {
      const found = await withApp(io, (app) => app.services.feedSearch.state())
      if (!found) throw withoutServer()
      if (globalsOf(command).json) return printJson(io, found)
      printLines(io, [
        `The index is ${found.status}. It has ${found.documents} documents and takes ${(found.bytes / 1e6).toFixed(1)} MB.`,
        found.pending === 0
          ? 'No fragments wait.'
          : `${found.pending} fragments wait, since ${found.oldest_pending_at}.`,
        ...(found.is_current ? [] : ['It is of another version. Run: sitelore search-index rebuild']),
      ])
    })

  index
    .command('rebuild')
    .description(
      'Builds a new index of all fragments beside the current one, which searches use until the new one is complete. Continues where it was interrupted. Changes the embedding model of the installation to that of this environment.',
    )
    .addHelpText('after', examples('search-index rebuild'))
    .action((_options: object, command: Command) => rebuild(io, globalsOf(command).json === true))
}

async function rebuild(io: Io, json: boolean): Promise<void> {
  const progress = createProgress(io, { json })
  const written = await withApp(io, async (app) => {
    const feed = feedOf(app)
    try {
      return await app.services.feedSearch.rebuild(
        feed,
        (done, total) => progress.show({ label: 'Writing fragments', done, total }),
        io.signal,
      )
    } finally {
      progress.end()
    }
  })
  if (written === null)
    throw new CommandError(
      'Another process rebuilds the search index. Wait until it has ended: this one is not needed.',
    )
  if (json) return printJson(io, { fragments: written })
  printLines(io, [`The new index is in use. It has ${written} fragments.`])
}

function feedOf({ services }: Pick<App, 'services'>): SearchFeed {
  const { feed } = services.feedSearch
  if (feed) return feed
  throw withoutServer()
}

function withoutServer(): CommandError {
  return new CommandError('This installation has no OpenSearch: its index is part of the database file.')
}
