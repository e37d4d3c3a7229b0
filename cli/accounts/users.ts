import type { Command } from 'commander'
import { userTypes } from '../../contract/values/enumerations'
import { system } from '../../server/actor'
import { type Cli, examples, globalsOf } from '../cli'
import { printJson, printLines } from '../io'
import { withApp } from '../open-app'
import { addDeleteUser } from './delete-user'

export function addUsers(program: Command, cli: Cli): void {
  const { io } = cli
  const users = program
    .command('users')
    .summary('list accounts, invite, reset a password or a second factor, choose administrators, delete')
    .description(
      'Lists the accounts; with invite, reset, reset-second-factor, promote, demote or delete it adds, changes or deletes one.',
    )
    .addHelpText(
      'after',
      examples(
        'users',
        'users invite grace@example.com',
        'users reset ada@example.com',
        'users reset-second-factor ada@example.com',
        'users promote ada@example.com',
        'users demote ada@example.com',
      ),
    )

  users
    .command('list', { isDefault: true })
    .description('Lists the accounts, the oldest first.')
    .addHelpText('after', examples('users list', 'users list --json'))
    .action(async (_options: object, command: Command) => {
      const all = await withApp(io, (app) => app.services.accounts.list(system))
      if (globalsOf(command).json) return printJson(io, { users: all })
      if (all.length === 0)
        return printLines(io, ['Nobody has an account yet. Create the first one with: sitelore setup-link'])
      const width = Math.max(...all.map(({ email }) => email.length))
      printLines(
        io,
        all.map(({ email, type, created_at, org_connections }) => {
          const memberships = org_connections.map(({ organization, role }) => `${organization.name} (${role})`)
          const role = type === userTypes.staff ? 'administrator' : 'user'
          return [email.padEnd(width), created_at.slice(0, 10), role.padEnd(13), memberships.join(', ')]
            .join('  ')
            .trimEnd()
        }),
      )
    })

  users
    .command('reset')
    .description('Prints a link that lets a person set a new password, once, within 24 hours.')
    .argument('<e-mail>')
    .addHelpText('after', examples('users reset ada@example.com'))
    .action(async (email: string, _options: object, command: Command) => {
      const link = await withApp(io, (app) => app.identity.resetLink(email))
      if (globalsOf(command).json) printJson(io, { email, link })
      else printLines(io, [link])
    })

  users
    .command('reset-second-factor')
    .description('Removes the authenticator app, the passkeys and the recovery codes of an account.')
    .argument('<e-mail>')
    .addHelpText('after', examples('users reset-second-factor ada@example.com'))
    .action(async (email: string, _options: object, command: Command) => {
      await withApp(io, (app) => app.identity.resetSecondFactor(email))
      if (globalsOf(command).json) printJson(io, { email })
      else printLines(io, [`${email} can log in with the password alone and set up a new second factor.`])
    })

  users
    .command('invite')
    .description(
      'Prints a link with which one person can create an account, even if SIGN_UP is invited, and sends it if SMTP_URL is set.',
    )
    .argument('<e-mail>')
    .addHelpText('after', examples('users invite grace@example.com'))
    .action(async (email: string, _options: object, command: Command) => {
      const { link, isMailed } = await withApp(io, async ({ identity }) => {
        const link = await identity.invitationLink(email)
        return { link, isMailed: await identity.mailInvitation(email, link) }
      })
      if (globalsOf(command).json) return printJson(io, { email, link, mailed: isMailed })
      printLines(io, [link])
      if (isMailed !== null)
        io.err(isMailed ? `Sent to ${email}.\n` : 'The e-mail could not be sent. Send the link yourself.\n')
    })

  addDeleteUser(users, cli)

  users
    .command('promote')
    .description('Makes an account a platform administrator, at once.')
    .argument('<e-mail>')
    .addHelpText('after', examples('users promote ada@example.com'))
    .action(async (email: string, _options: object, command: Command) => {
      const user = await withApp(io, (app) => app.services.accounts.promote(system, email))
      if (globalsOf(command).json) printJson(io, { user })
      else printLines(io, [`${user.email} is now a platform administrator.`])
    })

  users
    .command('demote')
    .description('Makes a platform administrator a normal user, at once. Their roles in organizations stay.')
    .argument('<e-mail>')
    .addHelpText('after', examples('users demote ada@example.com'))
    .action(async (email: string, _options: object, command: Command) => {
      const user = await withApp(io, (app) => app.services.accounts.demote(system, email))
      if (globalsOf(command).json) printJson(io, { user })
      else printLines(io, [`${user.email} is no longer a platform administrator.`])
    })
}
