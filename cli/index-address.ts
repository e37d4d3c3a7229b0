import type { Command } from 'commander'
import { Option } from 'commander'
import { collectionSchema } from '../contract/collection'
import { lengths } from '../contract/limits'
import { type AddressView, crawledSourceTypes, type SourceInput, type SourceView } from '../contract/source'
import { system } from '../server/actor'
import type { App } from '../server/app'
import { type CrawledType, isSameAddress, readAddress } from './address'
import { type Cli, examples, globalsOf } from './cli'
import { CommandError, counted, type Io, printJson, printLines, UsageError } from './io'
import { withApp } from './open-app'
import { chooseOrganization, collectionNamed, everyPage, listCollections } from './organization'
import { createProgress } from './progress'
import { createHelpers, type Watched, watchCrawl, watchVectors } from './watch-source'

interface Options {
  type?: CrawledType
  collection?: string
}

interface Outcome {
  source: SourceView
  collection: { id: string; name: string }
  vectors: { fragments: number; waiting: number; reason: string | null }
  failures: { url: string; reason: string | null; message: string | null }[]
}

const mostFailuresShown = 20

export function addIndex(program: Command, cli: Cli): void {
  program
    .command('index')
    .summary('read a site, a sitemap or a page')
    .description(
      'Reads an address, makes fragments and vectors of its text, and ends when all of it can be found. The second time the same address is a refresh.',
    )
    .argument('<address>', 'a page, a sitemap, or the home page of a whole site')
    .addOption(
      new Option('--type <type>', 'what the address is; guessed where it is left out').choices([...crawledSourceTypes]),
    )
    .option(
      '--collection <name>',
      "collection to put it in, by name or id; made where it is missing (default: the site's host)",
    )
    .addHelpText(
      'after',
      examples(
        'index https://docs.example.com',
        'index https://example.com/sitemap.xml --collection Website',
        'index https://example.com/about --type url --json',
      ),
    )
    .action(async (address: string, options: Options, command: Command) => {
      cli.exitCode = await indexAddress(cli.io, address, options, globalsOf(command))
    })
}

async function indexAddress(
  io: Io,
  address: string,
  options: Options,
  globals: { organization?: string; json?: boolean },
): Promise<number> {
  const input = readAddress(address, options.type)
  const outcome = await withApp(io, (app) => run(app, io, input, options, globals.organization))
  if (globals.json) printJson(io, reportOf(outcome))
  else printLines(io, linesOf(outcome))
  if (outcome.source.status !== 'fail') return 0
  io.err(`${input.url} could not be read: ${outcome.source.message ?? 'no reason is known.'}\n`)
  return 1
}

async function run(
  app: App,
  io: Io,
  input: SourceInput,
  options: Options,
  organization: string | undefined,
): Promise<Outcome> {
  const organizationId = await chooseOrganization(app, organization)
  const { collection, source } = await startSource(app, organizationId, input, options)
  const runId = source.last_run?.id
  if (!runId) throw new CommandError('The run did not start. Try again.')
  const watched: Watched = { organizationId, collectionId: collection.id, sourceId: source.id, runId }
  const helpers = createHelpers(app)
  const progress = createProgress(io)
  try {
    const ended = await watchCrawl(app, watched, helpers, progress, io.signal)
    const vectors = await watchVectors(app, watched, helpers, progress, io)
    progress.end()
    return { source: ended, collection, vectors, failures: await failuresOf(app, watched, ended) }
  } catch (error) {
    progress.end()
    if (!io.signal.aborted) throw error
    io.err('Stopping. ')
    throw new CommandError('What was read so far is kept; the same command goes on from there.')
  } finally {
    await helpers.stop()
  }
}

/** The same address again is the same source, in whichever collection it is. */
async function startSource(app: App, organizationId: string, input: SourceInput, options: Options) {
  const all = await listCollections(app, organizationId)
  const named = options.collection === undefined ? undefined : collectionNamed(all, options.collection)
  const places = options.collection === undefined ? all : named ? [named] : []
  for (const collection of places) {
    const sources = await everyPage((page) =>
      app.sources.list(system, organizationId, collection.id, { page, limit: 100 }),
    )
    const known = sources.find(({ type, url }) => type === input.type && url !== null && isSameAddress(url, input.url))
    if (!known) continue
    await app.sources.refresh(system, organizationId, collection.id, known.id, { crawl: true, auto: true })
    return { collection, source: await app.sources.get(system, organizationId, collection.id, known.id) }
  }
  const name = options.collection ?? new URL(input.url).host.slice(0, lengths.collectionName)
  const collection = named ?? all.find((one) => one.name === name) ?? (await makeCollection(app, organizationId, name))
  return { collection, source: await app.sources.create(system, organizationId, collection.id, input) }
}

async function makeCollection(app: App, organizationId: string, name: string): Promise<{ id: string; name: string }> {
  const input = collectionSchema.safeParse({ name })
  if (!input.success)
    throw new UsageError(`--collection: ${input.error.issues[0]?.message ?? 'This name cannot be used.'}`)
  return app.collections.create(system, organizationId, input.data)
}

async function failuresOf(
  app: App,
  { organizationId, collectionId, sourceId }: Watched,
  source: SourceView,
): Promise<Outcome['failures']> {
  if (source.status !== 'fail' && (source.last_run?.failed ?? 0) + (source.last_run?.withdrawn ?? 0) === 0) return []
  const all = await everyPage<AddressView>((page) =>
    app.addresses.list(system, organizationId, collectionId, { page, limit: 100 }),
  )
  return all
    .filter(({ source_id, status }) => source_id === sourceId && status === 'fail')
    .map(({ url, reason, message }) => ({ url, reason, message }))
}

function reportOf({ source, collection, vectors, failures }: Outcome) {
  return {
    ...source.last_run,
    source_id: source.id,
    source_status: source.status,
    source_reason: source.reason,
    source_message: source.message,
    collection_id: collection.id,
    collection_fragments: vectors.fragments,
    fragments_without_vector: vectors.waiting,
    without_vector_because: vectors.reason,
    failures,
  }
}

function linesOf({ source, collection, vectors, failures }: Outcome): string[] {
  const report = source.last_run
  const lines = [`${source.url ?? source.name} in collection ${collection.name}`]
  if (report) {
    const counts = (['new', 'changed', 'unchanged', 'withdrawn', 'failed', 'ignored'] as const)
      .filter((name) => report[name] > 0)
      .map((name) => `${report[name]} ${name}`)
    lines.push(`${counted(report.checked, 'page')} checked${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`)
    lines.push(`${counted(report.fragments, 'new fragment')}, ${vectors.fragments} in the collection`)
  }
  if (vectors.waiting > 0)
    lines.push(`${counted(vectors.waiting, 'fragment')} can be found by words only. ${vectors.reason ?? ''}`.trim())
  for (const { url, message } of failures.slice(0, mostFailuresShown)) lines.push(`  failed  ${url}  ${message ?? ''}`)
  if (failures.length > mostFailuresShown)
    lines.push(`  and ${failures.length - mostFailuresShown} more; --json lists all`)
  if (source.status !== 'idle' && source.status !== 'fail' && source.message) lines.push(source.message)
  return lines
}
