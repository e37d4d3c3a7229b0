import { isAbsolute, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, readConfig } from '../../server/config/config'
import { type Cli, examples, globalsOf } from '../cli'
import { type Io, printJson, printLines, UsageError } from '../io'
import { loadApp } from '../open-app'
import { createProgress } from '../runs/progress'

/** Adds `move`. */
export function addMove(program: Command, { io }: Cli): void {
  program
    .command('move')
    .summary('move the installation to a cluster, or back to one machine')
    .description(
      'Copies the database, vectors, files and secrets of this installation into an empty one, and compares the two. Stop all servers first. Continues where it was interrupted. Changes nothing in this installation.',
    )
    .requiredOption(
      '--to <addresses...>',
      'the addresses of PostgreSQL and OpenSearch, and a folder or s3://bucket/prefix for files; or a data folder alone',
    )
    .addHelpText(
      'after',
      examples(
        'move --to postgres://sitelore@db.example.com/sitelore https://search.example.com:9200 s3://sitelore/files',
        'move --to /srv/sitelore/data',
      ),
    )
    .action((options: { to: string[] }, command: Command) => moveTo(io, options.to, globalsOf(command).json === true))
}

async function moveTo(io: Io, addresses: string[], json: boolean): Promise<void> {
  const from = readConfig(io.environment, io.root)
  const to = readConfig(targetEnvironment(io, addresses), io.root)
  const startedAt = Date.now()
  const progress = createProgress(io, { json })
  const { moveInstallation } = await loadApp()
  const report = await moveInstallation(from, {
    to,
    show: (label, done, total) => progress.show({ label, done, total }),
    signal: io.signal,
  }).finally(() => progress.end())
  if (json) return printJson(io, { ...report, duration_ms: Date.now() - startedAt })
  const rows = Object.values(report.tables).reduce((sum, count) => sum + count, 0)
  printLines(io, [
    `Moved ${rows} rows of ${Object.keys(report.tables).length} tables and ${report.files} files in ${Math.ceil((Date.now() - startedAt) / 1000)} s. All were read back and compared.`,
    ...report.missing.map((name) => `The file ${name} was missing already.`),
    ...nextSteps(to),
  ])
}

function nextSteps({ cluster, dataDir }: Config): string[] {
  if (!cluster)
    return [`Start the server with DATA_DIR=${dataDir} and without DATABASE_URL. It fills the keyword index first.`]
  return [
    'Give every process DATABASE_URL, SEARCH_URL, FILES and what sitelore secrets prints here.',
    'Start the workers first: they fill the search index. sitelore search-index status shows how far they are.',
  ]
}

/** The environment of the target: this one with other addresses. */
function targetEnvironment(io: Io, addresses: string[]): NodeJS.ProcessEnv {
  const found: Partial<Record<'DATABASE_URL' | 'SEARCH_URL' | 'FILES', string>> = {}
  for (const address of addresses) {
    const name = /^postgres(ql)?:/.test(address) ? 'DATABASE_URL' : /^https?:/.test(address) ? 'SEARCH_URL' : 'FILES'
    if (found[name] !== undefined) throw new UsageError('--to has two addresses of one kind. Give one of them.')
    found[name] = address.includes('://') || isAbsolute(address) ? address : resolve(io.folder, address)
  }
  const { DATABASE_URL, SEARCH_URL, FILES, PROCESS, WORKER_JOBS, ...environment } = io.environment
  if (found.DATABASE_URL !== undefined || found.SEARCH_URL !== undefined)
    return { ...environment, ...(FILES === undefined ? {} : { FILES }), ...found }
  if (found.FILES === undefined || found.FILES.includes('://'))
    throw new UsageError('--to must have the addresses of PostgreSQL and OpenSearch, or a data folder.')
  const { SITELORE_SECRET_COOKIE, SITELORE_SECRET_SIGNING, SITELORE_SECRET_SEALING, ...others } = environment
  return { ...others, DATA_DIR: found.FILES }
}
