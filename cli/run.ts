import { Command, CommanderError } from 'commander'
import { setValidationMessages } from '../contract/values/validation-messages'
import { addAudit } from './accounts/audit'
import { addOrganizations } from './accounts/organizations'
import { addPlans } from './accounts/plans'
import { addSetupLink } from './accounts/setup-link'
import { addToken } from './accounts/token'
import { addUsers } from './accounts/users'
import { addAgents, addKeys } from './agents/agents'
import { addAsk } from './agents/ask'
import { addThreads } from './agents/threads'
import { addBackup } from './archives/backup'
import { addOrganizationArchives } from './archives/organization-archives'
import { addRestore } from './archives/restore'
import { addDoctor } from './check/doctor'
import { asCalled, type Cli, examples } from './cli'
import { addMigrate } from './cluster/migrate'
import { addMove } from './cluster/move'
import { addSearchIndex } from './cluster/search-index'
import { addSecrets } from './cluster/secrets'
import { addCollections } from './collections'
import { addCompletion } from './completion'
import { reportFailure } from './errors'
import type { Io } from './io'
import { addJobs } from './jobs'
import { addModels } from './models/models'
import { addOptimize } from './optimize'
import { addSearch } from './search/search-collection'
import { addAddresses } from './sources/addresses'
import { addIndex } from './sources/index-address'
import { addSources } from './sources/sources'
import { productVersion } from './version'

/**
 * Runs one command. `argv` has the arguments after the program's name. Resolves to the exit code: 0 for success, 1 for a
 * failure, 2 for wrong usage. Never rejects.
 */
export async function run(argv: string[], io: Io): Promise<number> {
  setValidationMessages()
  const cli: Cli = { io, exitCode: 0 }
  const json = wantsJson(argv)
  try {
    await build(cli, json).parseAsync(argv, { from: 'user' })
    return cli.exitCode
  } catch (error) {
    // --help ends this way, too.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    return reportFailure(io, error, json)
  }
}

/** Read from the arguments directly, because parsing the options may fail. */
function wantsJson(argv: string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json')
}

function build(cli: Cli, json: boolean): Command {
  const program = new Command('sitelore')
    .description(
      'Sitelore on the command line. While a server runs on the same data folder, it does the work; otherwise the command does.',
    )
    .version(productVersion(), '--version', 'show the version')
    .option('--organization <name>', 'organization to work in, by name or id (default: the only one)')
    .option('--json', 'print one JSON document and nothing else; errors as JSON on stderr')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => cli.io.out(asCalled(cli.io, text)), writeErr: json ? () => {} : cli.io.err })
    .showHelpAfterError('Add --help to see the usage.')
    .exitOverride()
    .addHelpText('after', examples('index https://docs.example.com', 'search "opening hours"', 'doctor'))
  for (const add of [
    addIndex,
    addCollections,
    addSources,
    addAddresses,
    addSearch,
    addAsk,
    addAgents,
    addKeys,
    addThreads,
    addUsers,
    addSetupLink,
    addToken,
    addOrganizations,
    addOrganizationArchives,
    addPlans,
    addAudit,
    addJobs,
    addBackup,
    addRestore,
    addMigrate,
    addOptimize,
    addMove,
    addSecrets,
    addSearchIndex,
    addModels,
    addDoctor,
    addCompletion,
  ])
    add(program, cli)
  return program
}
