import { type Command, Option } from 'commander'
import { type AccessTokenInput, accessTokenSchema } from '../../contract/organizations/access-token'
import { organizationRoles } from '../../contract/values/enumerations'
import type { AccessTokenView } from '../../contract/views/organizations/access-token'
import { system } from '../../server/actor'
import { type Cli, examples, globalsOf } from '../cli'
import { type Io, printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'
import { chooseOrganization } from './organization'

interface CreateOptions {
  name: string
  role?: string
  days: string
}

export function addToken(program: Command, { io }: Cli): void {
  const token = program
    .command('token')
    .summary('create, list and revoke access tokens for /v1')
    .description('Creates, lists and revokes personal access tokens, which act for a person under /v1.')
    .addHelpText(
      'after',
      examples('token create ada@example.com --name backup', 'token list ada@example.com', 'token revoke <id>'),
    )

  token
    .command('create')
    .description('Creates a token and prints it, once. --organization limits it to one organization.')
    .argument('<e-mail>')
    .requiredOption('--name <text>', 'what it is for')
    .addOption(
      new Option('--role <role>', "highest role of the token, at most the person's (default: the person's)").choices(
        organizationRoles,
      ),
    )
    .option('--days <n>', 'how long it is valid, 1 to 365', '30')
    .addHelpText(
      'after',
      examples(
        'token create ada@example.com --name backup',
        'token create ada@example.com --name reports --role viewer --organization Acme --days 365',
      ),
    )
    .action(async (email: string, options: CreateOptions, command: Command) => {
      const { organization, json } = globalsOf(command)
      const input = inputOf(options)
      const created = await withApp(io, async (app) => {
        const { id } = await app.services.accounts.find(system, email)
        const organizationId = organization === undefined ? null : await chooseOrganization(app, organization)
        return app.services.accessTokens.create(system, id, { ...input, organization_id: organizationId })
      })
      if (json) printJson(io, created)
      else printLines(io, [created.token])
    })

  token
    .command('list')
    .description("Lists a person's tokens, the oldest first.")
    .argument('<e-mail>')
    .addHelpText('after', examples('token list ada@example.com', 'token list ada@example.com --json'))
    .action(async (email: string, _options: object, command: Command) => {
      const tokens = await withApp(io, async (app) => {
        const { id } = await app.services.accounts.find(system, email)
        return app.services.accessTokens.list(system, id)
      })
      if (globalsOf(command).json) printJson(io, { tokens })
      else printTokens(io, tokens)
    })

  token
    .command('revoke')
    .description('Revokes a token. Its next request is rejected.')
    .argument('<id>', 'as token list shows it')
    .addHelpText('after', examples('token revoke 0e5f2a9c-7f7b-4a53-9d0a-1f8f5a3f2f11'))
    .action(async (id: string, _options: object, command: Command) => {
      await withApp(io, (app) => app.services.accessTokens.revoke(system, id))
      if (globalsOf(command).json) printJson(io, { id })
      else printLines(io, ['The token is revoked.'])
    })
}

function inputOf(options: CreateOptions): AccessTokenInput {
  const parsed = accessTokenSchema.safeParse(options)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`--${String(issue?.path[0])}: ${issue?.message}.`)
}

function printTokens(io: Io, tokens: AccessTokenView[]): void {
  const width = Math.max(0, ...tokens.map(({ name }) => name.length))
  const lines = tokens.map(({ id, name, role, organization, expires_at: expires, is_expired, last_used_at: used }) => {
    const state = is_expired ? 'expired' : 'expires'
    const last = used === null ? 'never used' : `last used ${used.slice(0, 10)}`
    const reach = organization ? organization.name : 'all organizations'
    return [
      id,
      name.padEnd(width),
      (role ?? 'own role').padEnd(8),
      `${state} ${expires.slice(0, 10)}`,
      last,
      reach,
    ].join('  ')
  })
  printLines(io, lines.length > 0 ? lines : ['This person has no access tokens.'])
}
