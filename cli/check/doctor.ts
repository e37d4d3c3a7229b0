import type { Command } from 'commander'
import { pluralize } from '../../contract/texts/pluralize'
import { providerLabels, providers } from '../../contract/values/enumerations'
import { outboundOf } from '../../server/compose/outbound'
import { type Config, readConfig } from '../../server/config/config'
import { hasServerKey } from '../../server/config/provider-settings'
import { findServer, type RunningServer } from '../../server/local-server'
import { type Cli, examples, globalsOf } from '../cli'
import { type Io, printJson, printLines } from '../io'
import { type Check, ok, problem, warning } from './check'
import { checkOpenSearch, checkPostgres } from './check-cluster'
import { checkDatabase, checkPermissions } from './check-data'
import { checkDisk, checkModules, checkNode } from './check-machine'
import { checkEmbedding, checkEmbeddingService, checkModel, checkReranker } from './check-model'
import { checkPort, checkPublicUrl } from './check-network'

export function addDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .summary('check the installation')
    .description('Checks the installation, and says for each problem what to do. Exits with 1 if there are problems.')
    .addHelpText('after', examples('doctor', 'doctor --json'))
    .action(async (_options: object, command: Command) => {
      const checks = await examine(cli.io)
      if (globalsOf(command).json) printJson(cli.io, { checks })
      else printLines(cli.io, linesOf(checks))
      cli.exitCode = checks.some(({ status }) => status === 'problem') ? 1 : 0
    })
}

/** Runs each check by itself, so that a broken one hides no other. */
async function examine(io: Io): Promise<Check[]> {
  const checks = [checkNode(), ...(await checkModules())]
  let config: Config
  try {
    config = readConfig(io.environment, io.root)
  } catch (error) {
    return [
      ...checks,
      problem(
        'Configuration',
        error instanceof Error ? error.message : String(error),
        'Correct it, then run doctor again to check the rest.',
      ),
    ]
  }
  const { modelFolder, service } = config.embedding
  checks.push(ok('Configuration', `The data folder is ${config.dataDir}.`))
  const attempt = async (name: string, look: () => Promise<Check>) =>
    checks.push(await look().catch((error: Error) => problem(name, error.message, 'See the message.')))
  await attempt('Disk', () => checkDisk(config.dataDir))
  await attempt('Permissions', () => checkPermissions(config))
  const { cluster } = config
  if (cluster) {
    await attempt('PostgreSQL', () => checkPostgres(cluster))
    await attempt('OpenSearch', () => checkOpenSearch(cluster))
  } else {
    await attempt('Database', () => checkDatabase(config.databaseFile))
  }
  if (service) {
    await attempt('Embedding model', () => checkEmbeddingService(config))
  } else {
    await attempt('Embedding model', () => checkModel(modelFolder))
    await attempt('onnxruntime', () => checkEmbedding(modelFolder))
  }
  const { reranker } = config
  if (reranker) await attempt('Reranker', () => checkReranker(reranker))
  const server = await findServer(config.dataDir)
  checks.push(await checkPort(config, server))
  // What the server uses, which may have another environment.
  const used = server ? { publicUrl: server.publicUrl, port: Number(new URL(server.address).port) } : {}
  await attempt('PUBLIC_URL', () => checkPublicUrl({ ...config, ...used }, server !== null))
  return [...checks, checkProviderKeys(config, server), describeOutbound(config)]
}

function checkProviderKeys(config: Config, server: RunningServer | null): Check {
  const known = server?.providers ?? providers.filter((provider) => hasServerKey(config.providers[provider]))
  if (known.length > 0)
    return ok('Provider keys', `Set for ${known.map((provider) => providerLabels[provider]).join(', ')}.`)
  const names = providers.map((provider) => `${provider.toUpperCase()}_API_KEY`).join(', ')
  return warning(
    'Provider keys',
    'None is set. Search works, but agents answer only with a key of their own.',
    `Set one of ${names} in .env.`,
  )
}

function describeOutbound(config: Config): Check {
  const destinations = outboundOf(config).map(({ to, why }) => `${to} (${why})`)
  return ok('Outbound requests', `To ${destinations.join('; ')}; nowhere else.`)
}

function linesOf(checks: Check[]): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.flatMap(({ name, status, message, fix }) => [
    `${status.padEnd(8)} ${name.padEnd(width)}  ${message}`,
    ...(fix ? [`${' '.repeat(width + 11)}${fix}`] : []),
  ])
  const problems = checks.filter(({ status }) => status === 'problem').length
  const warnings = checks.filter(({ status }) => status === 'warning').length
  return [...lines, '', `${pluralize(problems, 'problem')}, ${pluralize(warnings, 'warning')}.`]
}
