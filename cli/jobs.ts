import type { Command } from 'commander'
import type { JobsOfKind } from '../contract/views/health'
import { system } from '../server/actor'
import { type Cli, examples, globalsOf } from './cli'
import { printJson, printLines } from './io'
import { withApp } from './open-app'

/** Adds `jobs`. */
export function addJobs(program: Command, { io }: Cli): void {
  const jobs = program
    .command('jobs')
    .summary('list the jobs that have not finished')
    .description('Shows what the server does in the background and what failed.')
    .addHelpText('after', examples('jobs', 'jobs list --json'))

  jobs
    .command('list', { isDefault: true })
    .description('Counts the jobs that are queued, running and failed, by kind, with the age of the oldest.')
    .addHelpText('after', examples('jobs list', 'jobs list --json'))
    .action(async (_options: object, command: Command) => {
      const found = await withApp(io, (app) => app.services.admin.jobs(system))
      if (globalsOf(command).json) return printJson(io, { jobs: found })
      printLines(io, found.length > 0 ? found.map(line) : ['No jobs are queued, running or failed.'])
    })
}

function line({ kind, queued, running, failed, oldest_at, oldest_lease, error }: JobsOfKind): string {
  const counts = [`${queued} queued`, `${running} running`, `${failed} failed`].join(', ')
  const lease = oldest_lease ? `, lease until ${oldest_lease.slice(0, 19)}` : ''
  return `${kind}  ${counts}, oldest of ${oldest_at.slice(0, 19)}${lease}${error ? `: ${error}` : ''}`
}
