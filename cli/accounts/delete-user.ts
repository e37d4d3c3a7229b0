import type { Command } from 'commander'
import { type Cli, examples, globalsOf } from '../cli'
import { CommandError, printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'
import { listed } from './organization'
import { deleteOrganization } from './organizations'

interface Options {
  yes?: boolean
  administrator?: string
  deleteOrganizations?: boolean
}

/** Adds `users delete`. */
export function addDeleteUser(users: Command, { io }: Cli): void {
  users
    .command('delete')
    .description('Deletes an account. What the person created in organizations stays.')
    .argument('<e-mail>')
    .option('--yes', 'confirms the deletion')
    .option('--administrator <e-mail>', 'who becomes administrator where the person is the only one')
    .option('--delete-organizations', 'deletes the organizations where the person is the only administrator')
    .addHelpText(
      'after',
      examples(
        'users delete ada@example.com --yes',
        'users delete ada@example.com --yes --administrator grace@example.com',
        'users delete ada@example.com --yes --delete-organizations',
      ),
    )
    .action(async (email: string, options: Options, command: Command) => {
      const { administrator, deleteOrganizations } = options
      if (administrator !== undefined && deleteOrganizations)
        throw new UsageError('Use either --administrator or --delete-organizations.')
      const deleted = await withApp(io, async (app) => {
        const alone = await app.identity.soleAdministrations(email)
        if (alone.length > 0 && administrator === undefined && !deleteOrganizations) {
          throw new CommandError(
            `${email} is the only administrator of these organizations. Name another one with --administrator <e-mail>, or add --delete-organizations:\n${listed(alone)}`,
          )
        }
        if (!options.yes) throw new UsageError(`This deletes the account ${email}. Add --yes to confirm.`)
        const deleted = deleteOrganizations ? alone : []
        for (const organization of deleted) await deleteOrganization(app, organization)
        await app.identity.deleteUser(email, administrator ?? null)
        return deleted
      })
      if (globalsOf(command).json) return printJson(io, { email, deleted_organizations: deleted })
      printLines(io, [...deleted.map(({ name }) => `${name} is deleted.`), `${email} is deleted.`])
    })
}
