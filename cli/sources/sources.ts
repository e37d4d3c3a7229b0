import type { Command } from 'commander'
import { runSentence } from '../../contract/texts/pages/run-sentence'
import { pluralize } from '../../contract/texts/pluralize'
import { statusLabels } from '../../contract/values/enumerations'
import type { RunReport } from '../../contract/views/run'
import type { SourceView } from '../../contract/views/source'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { crawlLimits } from '../../server/engine/limits'
import { chooseOrganization } from '../accounts/organization'
import { type Cli, examples, globalsOf } from '../cli'
import { allSources, type FoundSource, findSource, sourcesIn } from '../find-source'
import { type Io, printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'
import { followRun } from '../runs/follow-run'
import { printOutcome } from '../runs/run-report'

/** Commands that list and delete sources, list their runs, and pause, resume and cancel a run. */
export function addSources(program: Command, { io }: Cli): void {
  const sources = program
    .command('sources')
    .summary('list and delete sources')
    .description('Lists the sources; with delete it deletes one.')
    .addHelpText('after', examples('sources', 'sources delete https://docs.example.com --yes'))

  sources
    .command('list', { isDefault: true })
    .description('Lists the sources with their status, its reason, and what the last run did.')
    .option('--collection <name>', 'only those of this collection, by name or id')
    .addHelpText('after', examples('sources', 'sources --collection Website --json'))
    .action(async ({ collection }: { collection?: string }, command: Command) => {
      const { organization, json } = globalsOf(command)
      const found = await withApp(io, async (app) =>
        listSources(app, await chooseOrganization(app, organization), collection),
      )
      if (json) return printJson(io, { sources: found.map(documentOf) })
      printLines(io, found.length > 0 ? found.flatMap(linesOf) : ['There are no sources yet.'])
    })

  const which = 'its address, name or id'
  sources
    .command('delete')
    .description('Deletes a source with its addresses and fragments.')
    .argument('<source>', which)
    .option('--collection <name>', 'in this collection, by name or id (default: in any)')
    .option('--yes', 'confirms that everything in it is deleted')
    .addHelpText('after', examples('sources delete https://docs.example.com --yes'))
    .action(async (wanted: string, options: { collection?: string; yes?: boolean }, command: Command) => {
      const { organization, json } = globalsOf(command)
      const source = await withApp(io, async (app) => {
        const organizationId = await chooseOrganization(app, organization)
        const found = await findSource(app, organizationId, wanted, options.collection)
        if (!options.yes)
          throw new UsageError(
            `This deletes ${found.source.name} in ${found.collection.name} with its ${pluralize(found.source.addresses, 'URL')}. Add --yes to confirm.`,
          )
        const sourceId = found.source.id
        await app.services.sources.remove(system, { organizationId, collectionId: found.collection.id, sourceId })
        if (!(await app.services.installation.isServerAlive())) await app.services.purge.source(sourceId)
        return found.source
      })
      if (json) printJson(io, { source: { id: source.id, name: source.name } })
      else printLines(io, [`${source.name} is deleted.`])
    })

  const acting = (name: string, summary: string, description: string, work: Act) =>
    program
      .command(name)
      .summary(summary)
      .description(description)
      .argument('<source>', which)
      .option('--collection <name>', 'in this collection, by name or id (default: in any)')
      .addHelpText('after', examples(`${name} https://docs.example.com`, `${name} docs.example.com --json`))
      .action(async (wanted: string, { collection }: { collection?: string }, command: Command) => {
        const { organization, json = false } = globalsOf(command)
        await withApp(io, async (app) => {
          const found = await findSource(app, await chooseOrganization(app, organization), wanted, collection)
          await work(app, io, found, json)
        })
      })
  acting(
    'runs',
    'show the last runs of a source',
    'Shows what the last 20 runs of a source did, newest first.',
    showRuns,
  )
  acting('pause', 'pause a run', 'Pauses the active run. Pages that are being fetched are still stored.', pause)
  acting('resume', 'resume a paused run', 'Continues a paused run, and ends when search finds everything.', resume)
  acting('cancel', 'cancel a run', 'Cancels the active or paused run. What was indexed stays.', cancel)
}

type Act = (app: App, io: Io, found: FoundSource, json: boolean) => Promise<void>

function listSources(app: App, organizationId: string, wanted: string | undefined): Promise<FoundSource[]> {
  return wanted === undefined ? allSources(app, organizationId) : sourcesIn(app, organizationId, wanted)
}

async function showRuns(app: App, io: Io, { organizationId, collection, source }: FoundSource, json: boolean) {
  const ref = { organizationId, collectionId: collection.id, sourceId: source.id }
  const { docs } = await app.services.runControl.reports(system, ref, { page: 1, limit: crawlLimits.runReports })
  if (json) printJson(io, { source_id: source.id, url: source.url, start_path: source.start_path, runs: docs })
  else printLines(io, docs.map(runLine))
}

async function pause(app: App, io: Io, found: FoundSource, json: boolean): Promise<void> {
  const { organizationId, collection, source } = found
  await app.services.runControl.pause(system, { organizationId, collectionId: collection.id, sourceId: source.id })
  await show(app, io, found, json)
}

async function resume(app: App, io: Io, found: FoundSource, json: boolean): Promise<void> {
  const { organizationId, collection, source } = found
  const ref = { organizationId, collectionId: collection.id, sourceId: source.id }
  await app.services.runControl.resume(system, ref)
  if (!source.paused) return show(app, io, found, json)
  printOutcome(
    io,
    await followRun(app, io, { ...found, source: await app.services.sources.get(system, ref) }, json),
    json,
  )
}

async function cancel(app: App, io: Io, found: FoundSource, json: boolean): Promise<void> {
  const { organizationId, collection, source } = found
  const ref = { organizationId, collectionId: collection.id, sourceId: source.id }
  await app.services.runControl.cancel(system, ref)
  // The process that runs the source ends the run; without one, it ends here.
  if (isUnderWay(source)) await followRun(app, io, found, json)
  await show(app, io, found, json)
}

function isUnderWay({ last_run: run }: SourceView): boolean {
  return run !== null && run.finished_at === null
}

async function show(app: App, io: Io, { organizationId, collection, source }: FoundSource, json: boolean) {
  const now = await app.services.sources.get(system, {
    organizationId,
    collectionId: collection.id,
    sourceId: source.id,
  })
  const found = { organizationId, collection, source: now }
  if (json) printJson(io, { source: documentOf(found) })
  else printLines(io, linesOf(found))
}

function documentOf({ source, collection }: FoundSource) {
  return { ...source, collection_name: collection.name }
}

function linesOf({ source, collection }: FoundSource): string[] {
  const { url, name, status, paused, message, addresses, last_run: run, refresh_due_at: due } = source
  const state = paused ? 'Paused' : statusLabels[status]
  return [
    `${url ?? name}  in ${collection.name}  ${state}  ${pluralize(addresses, 'URL')}`,
    ...(message && !paused ? [`  ${message}`] : []),
    ...(run ? [`  last run: ${runLine(run)}`] : []),
    ...(due ? [`  next run: ${minuteOf(due)}`] : []),
  ]
}

const kinds: Record<RunReport['kind'], string> = {
  full: '',
  discover: ' (addresses only)',
  address: ' (one address)',
}

function runLine(run: RunReport): string {
  const end = run.cancelled ? ', cancelled' : run.finished_at === null ? ', not finished' : ''
  const seconds = Math.ceil(run.duration_ms / 1000)
  return `${minuteOf(run.started_at)}${kinds[run.kind]}  ${runSentence(run)}${end} (${seconds} s)`
}

function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
