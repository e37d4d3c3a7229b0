import type { Command } from 'commander'
import type { SourceInput } from '../../contract/sources/source'
import type { SourceOptions } from '../../contract/sources/source-options'
import { lengths } from '../../contract/values/limits'
import type { SourceView } from '../../contract/views/source'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { startOf } from '../../server/engine/crawl/urls/entry-pages'
import { chooseOrganization, collectionNamed, listCollections, makeCollection } from '../accounts/organization'
import { isSameAddress, readAddress } from '../address'
import { type Cli, examples, globalsOf } from '../cli'
import { type FoundSource, sourcesOf } from '../find-source'
import { CommandError, type Globals, type Io, UsageError } from '../io'
import { withApp } from '../open-app'
import { followRun } from '../runs/follow-run'
import { printOutcome } from '../runs/run-report'
import { printDiscovery } from './discovery-report'
import { indexFiles, isFilePath } from './index-files'
import { addIndexOptions, flagOf, type IndexOptions, sourceOptionsOf } from './index-options'
import { previewAddress } from './preview'

const unreachableReasons = new Set<string | null>([
  'invalid-address',
  'private-address',
  'forbidden-address',
  'unresolved',
  'connection-failed',
  'timeout',
])

export function addIndex(program: Command, cli: Cli): void {
  const command = program
    .command('index')
    .summary('index a site, a sitemap, a page or files')
    .description(
      'Crawls an address or reads files, and ends when search finds everything. Running it again refreshes the source; options that you name apply from that run on. A file replaces the one with the same file name, or else that of the source with this name.',
    )
    .argument(
      '<address...>',
      'a page, a sitemap, or the home page of a whole site; or files on this machine, one or more',
    )
  addIndexOptions(command)
    .addHelpText(
      'after',
      examples(
        'index https://docs.example.com --preview',
        'index https://docs.example.com',
        'index https://example.com/sitemap.xml --collection Website',
        'index https://example.com --include "/docs/**" --exclude "/docs/old/**" --max-pages 500',
        "index https://wiki.example.com --header 'Authorization: Bearer abc' --refresh-interval daily",
        'index https://example.com/about --type url --json',
        'index prices.csv manuals/storm-40.pdf --collection Website',
      ),
    )
    .action(async (input: string[], options: IndexOptions, command: Command) => {
      const [address = '', more] = input
      const { collection, ...others } = options
      const paths = input.filter((text) => isFilePath(cli.io, text))
      if (paths.length === 0 && more === undefined) return indexAddress(cli.io, address, options, globalsOf(command))
      const stranger = input.find((text) => !paths.includes(text))
      if (paths.length === 0 || stranger !== undefined)
        throw new UsageError(`Index one address at a time, or only files: ${stranger} is not a file.`)
      const [option] = Object.keys(others)
      if (option !== undefined) throw new UsageError(`${flagOf(option)} applies to addresses, not to files.`)
      await indexFiles(cli.io, paths, collection, globalsOf(command))
    })
}

async function indexAddress(io: Io, address: string, options: IndexOptions, globals: Globals): Promise<void> {
  const sourceOptions = sourceOptionsOf(options)
  const input = readAddress(address, options.type, sourceOptions)
  const json = globals.json === true
  await withApp(io, async (app) => {
    const organizationId = await chooseOrganization(app, globals.organization)
    if (options.preview) return previewAddress(app, io, organizationId, input, json)
    const known = await knownSource(app, organizationId, input, options.collection)
    if (!known && options.discover)
      throw new CommandError(
        `${input.url} is not indexed yet. See what would be indexed with --preview, or index it without --discover.`,
      )
    const started = known
      ? { ...(await readAgain(app, known, sourceOptions, options.discover !== true)), isNewCollection: false }
      : await addSource(app, organizationId, input, options.collection)
    const outcome = await followRun(app, io, started, json)
    if (!known && isUnreachable(outcome.source)) await removeAdded(app, started)
    if (options.discover) await printDiscovery(app, io, { ...started, source: outcome.source }, json)
    else printOutcome(io, outcome, json)
  })
}

/** Finds the source with this address, in any collection. */
async function knownSource(
  app: App,
  organizationId: string,
  input: SourceInput,
  wanted: string | undefined,
): Promise<FoundSource | null> {
  const { type } = input
  const { url } = startOf(input)
  const all = await listCollections(app, organizationId)
  const named = wanted === undefined ? undefined : collectionNamed(all, wanted)
  const places = wanted === undefined ? all : named ? [named] : []
  for (const collection of places) {
    const sources = await sourcesOf(app, organizationId, collection.id)
    const source = sources.find((item) => item.type === type && item.url !== null && isSameAddress(item.url, url))
    if (source) return { organizationId, collection, source }
  }
  return null
}

async function readAgain(
  app: App,
  { organizationId, collection, source }: FoundSource,
  options: SourceOptions,
  crawl: boolean,
): Promise<FoundSource> {
  const ref = { organizationId, collectionId: collection.id, sourceId: source.id }
  if (Object.keys(options).length > 0) await app.services.sources.edit(system, ref, options)
  const answer = await app.services.runControl.refresh(system, ref, { crawl, auto: true }, { waitMs: 0 })
  const now = await app.services.sources.get(system, ref)
  if (answer.crawlLimit && !answer.success)
    throw new CommandError(now.message ?? 'You can no longer crawl any more urls this month.')
  return { organizationId, collection, source: now }
}

interface AddedSource extends FoundSource {
  isNewCollection: boolean
}

async function addSource(
  app: App,
  organizationId: string,
  input: SourceInput,
  wanted: string | undefined,
): Promise<AddedSource> {
  const all = await listCollections(app, organizationId)
  const name = wanted ?? new URL(input.url).host.slice(0, lengths.collectionName)
  const existing = wanted === undefined ? all.find((item) => item.name === name) : collectionNamed(all, wanted)
  const collection = existing ?? (await makeCollection(app, organizationId, name))
  try {
    const source = await app.services.sources.create(system, { organizationId, collectionId: collection.id }, input)
    return { organizationId, collection, source, isNewCollection: !existing }
  } catch (error) {
    if (!existing) await app.services.collections.remove(system, organizationId, collection.id)
    throw error
  }
}

/** Whether nothing could be asked at the address of a source: it is invalid, or nobody answers there. */
function isUnreachable({ status, reason }: SourceView): boolean {
  return status === 'fail' && unreachableReasons.has(reason)
}

/** Removes what this command created, so that a wrong address leaves nothing behind. */
async function removeAdded(
  app: App,
  { organizationId, collection, source, isNewCollection }: AddedSource,
): Promise<void> {
  if (isNewCollection) return app.services.collections.remove(system, organizationId, collection.id)
  const ref = { organizationId, collectionId: collection.id, sourceId: source.id }
  return app.services.sources.remove(system, ref)
}
