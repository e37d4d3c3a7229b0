import type { Command } from 'commander'
import { agentStatusLabels } from '../../contract/values/enumerations'
import type { AgentView } from '../../contract/views/chat/agent'
import type { KeychainView } from '../../contract/views/organizations/keychain'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { chooseOrganization, everyPage, listed } from '../accounts/organization'
import { type Cli, examples, globalsOf } from '../cli'
import { type Io, printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'

/** Adds `agents`. */
export function addAgents(program: Command, { io }: Cli): void {
  program
    .command('agents')
    .summary('list the agents')
    .description('Lists the agents with their status, the newest first.')
    .addHelpText('after', examples('agents', 'agents --json'))
    .action(async (_options: object, command: Command) => {
      const { organization, json } = globalsOf(command)
      const all = await withApp(io, async (app) => listAgents(app, await chooseOrganization(app, organization)))
      if (json) return printJson(io, { agents: all })
      if (all.length === 0) return printLines(io, ['There are no agents yet.'])
      const width = Math.max(...all.map(({ name }) => name.length))
      printLines(
        io,
        all.map(({ id, name, status }) => [name.padEnd(width), id, agentStatusLabels[status]].join('  ')),
      )
    })
}

/** Adds `keys`. */
export function addKeys(program: Command, { io }: Cli): void {
  const keys = program
    .command('keys')
    .summary("show and renew an agent's keys")
    .description('Shows the keys of an agent; with create or renew it creates or replaces them.')
    .addHelpText('after', examples('keys show Support', 'keys create Support', 'keys renew Support --only private'))

  keys
    .command('show', { isDefault: true })
    .description('Shows the public key, and what both keys may be used from. --private shows the private key, too.')
    .argument('<agent>', 'its name or id')
    .option('--private', 'show the private key')
    .addHelpText('after', examples('keys show Support', 'keys show Support --private --json'))
    .action(async (wanted: string, options: { private?: boolean }, command: Command) => {
      const { organization, json } = globalsOf(command)
      const keychain = await withApp(io, async (app) => {
        const organizationId = await chooseOrganization(app, organization)
        const { id, name } = await findAgent(app, organizationId, wanted)
        const found = await app.services.keychains.get(system, { organizationId, agentId: id })
        if (!found) throw new UsageError(`${name} has no keys yet. Create them with: sitelore keys create ${wanted}`)
        return found
      })
      show(io, keychain, { json, withPrivate: options.private === true })
    })

  keys
    .command('create')
    .description('Creates the keys of an agent, if it has none, and prints them.')
    .argument('<agent>', 'its name or id')
    .addHelpText('after', examples('keys create Support'))
    .action(async (wanted: string, _options: object, command: Command) => {
      const { organization, json } = globalsOf(command)
      const keychain = await withApp(io, async (app) => {
        const organizationId = await chooseOrganization(app, organization)
        const { id } = await findAgent(app, organizationId, wanted)
        return app.services.keychains.save(system, { organizationId, agentId: id }, { regenerate: false })
      })
      show(io, keychain, { json, withPrivate: true })
    })

  keys
    .command('renew')
    .description('Replaces the keys of an agent, at once: calls with the former ones are refused.')
    .argument('<agent>', 'its name or id')
    .option('--only <type>', 'replace only the public or only the private key')
    .option('--yes', 'confirms that the former keys stop working')
    .addHelpText('after', examples('keys renew Support --yes', 'keys renew Support --only private --yes'))
    .action(async (wanted: string, options: { only?: string; yes?: boolean }, command: Command) => {
      const { organization, json } = globalsOf(command)
      const { only = true } = options
      if (only !== true && only !== 'public' && only !== 'private')
        throw new UsageError('--only: use public or private.')
      const keychain = await withApp(io, async (app) => {
        const organizationId = await chooseOrganization(app, organization)
        const { id, name } = await findAgent(app, organizationId, wanted)
        if (!options.yes) throw new UsageError(`The former keys of ${name} stop working. Add --yes to confirm.`)
        return app.services.keychains.save(system, { organizationId, agentId: id }, { regenerate: only })
      })
      show(io, keychain, { json, withPrivate: only !== 'public' })
    })
}

function show(io: Io, keychain: KeychainView, { json, withPrivate }: { json?: boolean; withPrivate: boolean }): void {
  const { private_key: privateKey, ...others } = keychain
  if (json) printJson(io, { keychain: withPrivate ? keychain : others })
  else
    printLines(io, [
      `public key       ${keychain.public_key}`,
      ...(withPrivate ? [`private key      ${privateKey}`] : []),
      `allowed origins  ${keychain.allowed_origins || 'any'}`,
      `allowed IPs      ${keychain.allowed_ips || 'any'}`,
      `rate limit       ${keychain.rate_limit} a minute`,
    ])
}

export function listAgents(app: App, organizationId: string): Promise<AgentView[]> {
  return everyPage((page) => app.services.agents.list(system, organizationId, { page, limit: 100 }))
}

/** The agent with this name or id. Throws a UsageError unless there is exactly one. */
export async function findAgent(app: App, organizationId: string, wanted: string): Promise<AgentView> {
  const all = await listAgents(app, organizationId)
  const found = all.filter(({ id, name }) => id === wanted || name === wanted)
  const [agent] = found
  if (found.length > 1)
    throw new UsageError(`Several agents are named '${wanted}'. Use the id of one:\n${listed(found)}`)
  if (!agent)
    throw new UsageError(`There is no agent '${wanted}'.${all.length > 0 ? ` There are:\n${listed(all)}` : ''}`)
  return agent
}
