import type { Command } from 'commander'
import { type Cli, examples, globalsOf } from '../cli'
import { printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'

const secondsOfDay = 86_400
const maxDays = 365

export function addToken(program: Command, { io }: Cli): void {
  program
    .command('token')
    .summary('print an access token for /v1')
    .description('Prints an access token for the HTTP API that acts as this person.')
    .argument('<e-mail>')
    .option('--days <n>', 'how long it is valid, 1 to 365', '30')
    .addHelpText('after', examples('token ada@example.com', 'token ada@example.com --days 7 --json'))
    .action(async (email: string, options: { days: string }, command: Command) => {
      const days = Number(options.days)
      if (!Number.isInteger(days) || days < 1 || days > maxDays)
        throw new UsageError(`--days: must be a whole number from 1 to ${maxDays}.`)
      const token = await withApp(io, (app) => app.identity.issueToken(email, days * secondsOfDay))
      const expiresAt = new Date(Date.now() + days * secondsOfDay * 1000).toISOString()
      if (globalsOf(command).json) printJson(io, { token, expires_at: expiresAt })
      else printLines(io, [token])
    })
}
