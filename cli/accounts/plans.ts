import type { Command } from 'commander'
import {
  displayNameSchema,
  type PlanChange,
  type PlanLimit,
  planLimits,
  planNameSchema,
} from '../../contract/organizations/plan'
import type { Plan } from '../../contract/views/organizations/organization'
import { system } from '../../server/actor'
import { type Cli, examples, globalsOf } from '../cli'
import { type Io, printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'
import { chooseOrganization } from './organization'

const maxLimit = 1_000_000_000
const bytesPerMegabyte = 1024 * 1024

const descriptions: Record<PlanLimit, string> = {
  collections: 'collections',
  sources: 'sources',
  urls: 'addresses that are indexed or queued',
  crawls: 'fetched addresses per month',
  agents: 'agents',
  threads: 'threads',
  messages: 'questions per month',
  searches: 'searches without a model per month',
  api_requests: 'calls under /v1 with a token or key per month',
  storage: 'megabytes of files',
}

type SetOptions = Partial<Record<string, string>> & { displayName?: string }

export function addPlans(program: Command, { io }: Cli): void {
  const plans = program
    .command('plans')
    .summary('list, change and assign plans')
    .description('Lists the plans, which limit what organizations may contain and use.')
    .addHelpText('after', examples('plans', 'plans set team --urls 20000', 'plans assign team --organization Acme'))

  plans
    .command('list', { isDefault: true })
    .description('Lists the plans with their limits.')
    .addHelpText('after', examples('plans list', 'plans list --json'))
    .action(async (_options: object, command: Command) => {
      const all = await withApp(io, (app) => app.services.plans.list(system))
      if (globalsOf(command).json) printJson(io, { plans: all })
      else printPlans(io, all)
    })

  const set = plans
    .command('set')
    .description('Changes a plan, or creates one. Limits that you do not name stay; those of a new plan are unlimited.')
    .argument('<plan>')
    .option('--display-name <text>', 'name that people see')
  for (const limit of planLimits) set.option(`--${optionOf(limit)} <n>`, `${descriptions[limit]}; 0 is unlimited`)
  set
    .addHelpText('after', examples('plans set free --urls 500', 'plans set team --display-name Team --storage 2048'))
    .action(async (name: string, options: SetOptions, command: Command) => {
      const change = changeOf(options)
      const parsed = planNameSchema.safeParse(name)
      if (!parsed.success) throw new UsageError(`<plan>: ${parsed.error.issues[0]?.message}.`)
      const plan = await withApp(io, (app) => app.services.plans.set(system, name, change))
      if (globalsOf(command).json) printJson(io, { plan })
      else printPlans(io, [plan])
    })

  plans
    .command('assign')
    .description('Assigns a plan to the organization in --organization.')
    .argument('<plan>')
    .addHelpText('after', examples('plans assign team --organization Acme'))
    .action(async (name: string, _options: object, command: Command) => {
      const { organization, json } = globalsOf(command)
      const { id, plan } = await withApp(io, async (app) => {
        const id = await chooseOrganization(app, organization)
        return { id, plan: await app.services.plans.assign(system, id, name) }
      })
      if (json) printJson(io, { organization_id: id, plan })
      else printLines(io, [`The organization now has the plan ${plan.display_name}.`])
    })
}

function changeOf(options: SetOptions): PlanChange {
  const change: PlanChange = {}
  if (options.displayName !== undefined) {
    const parsed = displayNameSchema.safeParse(options.displayName)
    if (!parsed.success) throw new UsageError(`--display-name: ${parsed.error.issues[0]?.message}.`)
    change.display_name = parsed.data
  }
  for (const limit of planLimits) {
    const value = options[limit.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())]
    if (value !== undefined) change[limit] = limitOf(limit, value)
  }
  return change
}

/** An empty value is unlimited, as 0 is. */
function limitOf(limit: PlanLimit, value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0 || number > maxLimit)
    throw new UsageError(`--${optionOf(limit)}: must be a whole number from 0 to ${maxLimit}; 0 is unlimited.`)
  return limit === 'storage' ? number * bytesPerMegabyte : number
}

function optionOf(limit: PlanLimit): string {
  return limit.replaceAll('_', '-')
}

function printPlans(io: Io, all: Plan[]): void {
  const [names, displayNames] = [all.map(({ name }) => name), all.map(({ display_name }) => display_name)]
  const width = (texts: string[]) => Math.max(...texts.map(({ length }) => length))
  printLines(
    io,
    all.map((plan) => {
      const limits = planLimits.filter((limit) => plan[limit] > 0).map((limit) => `${limit} ${shown(limit, plan)}`)
      const columns = [plan.name.padEnd(width(names)), plan.display_name.padEnd(width(displayNames))]
      return [...columns, limits.join(', ') || 'unlimited'].join('  ')
    }),
  )
}

function shown(limit: PlanLimit, plan: Plan): string {
  return limit === 'storage' ? `${Math.floor(plan.storage / bytesPerMegabyte)} MB` : String(plan[limit])
}
