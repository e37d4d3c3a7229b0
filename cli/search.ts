import type { Command } from 'commander'
import { lengths } from '../contract/limits'
import type { SearchView } from '../contract/thread'
import { system } from '../server/actor'
import { type Cli, examples, globalsOf } from './cli'
import { counted, type Globals, type Io, printJson, printLines, UsageError } from './io'
import { withApp } from './open-app'
import { chooseCollection, chooseOrganization } from './organization'
import { placeOf } from './place'

interface Options {
  collection?: string
  limit?: string
}

const excerptLength = 240

export function addSearch(program: Command, cli: Cli): void {
  program
    .command('search')
    .summary('find fragments')
    .description('Finds the fragments of a collection that fit best, by words and by meaning. Needs no model provider.')
    .argument('<words...>', 'what to look for')
    .option('--collection <name>', 'collection to search, by name or id (default: the only one)')
    .option('--limit <n>', 'at most so many fragments, 1 to 25 (default: 10)')
    .addHelpText(
      'after',
      examples('search opening hours', 'search "opening hours" --collection Website --limit 3 --json'),
    )
    .action(async (words: string[], options: Options, command: Command) => {
      await search(cli.io, words.join(' '), options, globalsOf(command))
    })
}

async function search(io: Io, words: string, options: Options, { organization, json }: Globals): Promise<void> {
  const limit = readLimit(options.limit)
  const query = words.trim()
  if (query === '' || query.length > lengths.searchQuery) {
    throw new UsageError(`Name what to look for, in at most ${lengths.searchQuery} characters.`)
  }
  const found = await withApp(io, async (app) => {
    const organizationId = await chooseOrganization(app, organization)
    const collection = await chooseCollection(app, organizationId, options.collection)
    await app.startEmbedding()
    return app.search.collection(system, organizationId, {
      query,
      collectionId: collection.id,
      limit,
    })
  })
  if (json) {
    printJson(io, {
      fragments: found.fragments.map(({ id, score, url, link, title, headings, content }) => {
        return { id, score, url, link, title, headings, content }
      }),
    })
  } else {
    printLines(io, linesOf(found))
  }
  if (!found.by_meaning) io.err('Searched by words only: no vectors could be used.\n')
  else if (found.waiting > 0)
    io.err(`${counted(found.waiting, 'fragment')} searched by words only: vectors are still to come.\n`)
}

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? 10)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 25) return limit
  throw new UsageError('--limit: must be a whole number from 1 to 25.')
}

function linesOf({ fragments }: SearchView): string[] {
  if (fragments.length === 0) return ['Nothing was found.']
  return fragments.flatMap((fragment, index) => [
    ...(index > 0 ? [''] : []),
    `${index + 1}. ${fragment.title || placeOf(fragment)}  ${fragment.score.toFixed(4)}`,
    `   ${placeOf(fragment)}`,
    `   ${excerpt(fragment.content)}`,
  ])
}

function excerpt(content: string): string {
  const line = content.replaceAll(/\s+/g, ' ').trim()
  return line.length <= excerptLength ? line : `${line.slice(0, excerptLength).replace(/\s\S*$/, '')} …`
}
