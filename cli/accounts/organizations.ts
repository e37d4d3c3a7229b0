import type { Command } from 'commander'
import { pluralize } from '../../contract/texts/pluralize'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { type Cli, examples, globalsOf } from '../cli'
import { printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'
import { chooseOrganization } from './organization'

export function addOrganizations(program: Command, { io }: Cli): void {
  const organizations = program
    .command('organizations')
    .summary('list, export, import and delete organizations')
    .description(
      'Lists the organizations of this installation; with export it writes one to an archive, with import it creates one from an archive, with delete it deletes one.',
    )
    .addHelpText('after', examples('organizations', 'organizations export Acme', 'organizations delete Acme --yes'))

  organizations
    .command('list', { isDefault: true })
    .description('Lists the organizations, the oldest first.')
    .addHelpText('after', examples('organizations list', 'organizations list --json'))
    .action(async (_options: object, command: Command) => {
      const all = await withApp(io, (app) => app.services.installation.organizations())
      if (globalsOf(command).json) return printJson(io, { organizations: all })
      if (all.length === 0) return printLines(io, ['There is no organization yet.'])
      const width = Math.max(...all.map(({ name }) => name.length))
      printLines(
        io,
        all.map(({ id, name, plan, members, created_at }) =>
          [name.padEnd(width), id, created_at.slice(0, 10), plan, pluralize(members, 'member')].join('  '),
        ),
      )
    })

  organizations
    .command('delete')
    .description('Deletes an organization with everything in it: collections, agents, threads, invitations and usage.')
    .argument('<organization>', 'its name or id')
    .option('--yes', 'confirms that everything in it is deleted')
    .addHelpText('after', examples('organizations delete Acme --yes'))
    .action(async (wanted: string, options: { yes?: boolean }, command: Command) => {
      const { id, name } = await withApp(io, async (app) => {
        const id = await chooseOrganization(app, wanted)
        const { name } = await app.services.organizations.get(system, id)
        if (!options.yes)
          throw new UsageError(
            `This deletes ${name} with all its collections, agents and threads, for all its members. Add --yes to confirm.`,
          )
        await deleteOrganization(app, { id, name })
        return { id, name }
      })
      if (globalsOf(command).json) printJson(io, { organization: { id, name } })
      else printLines(io, [`${name} is deleted.`])
    })
}

/** Deletes the organization. A server deletes its content in the background; without one, this process does it now. */
export async function deleteOrganization(app: App, { id, name }: { id: string; name: string }): Promise<void> {
  await app.services.organizationDeletion.remove(system, id, { name })
  if (!(await app.services.installation.isServerAlive())) await app.services.organizationDeletion.purge(id)
}
