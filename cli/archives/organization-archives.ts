import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { organizationSchema } from '../../contract/organizations/organization'
import { pluralize } from '../../contract/texts/pluralize'
import { system } from '../../server/actor'
import { stampOf } from '../../server/services/backup/scheduled-backups'
import { chooseOrganization } from '../accounts/organization'
import { type Cli, examples, globalsOf } from '../cli'
import { type Io, printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'
import { createProgress } from '../runs/progress'
import { productVersion } from '../version'

/** Adds `export` and `import` to `organizations`. */
export function addOrganizationArchives(program: Command, { io }: Cli): void {
  const organizations = program.commands.find((command) => command.name() === 'organizations')
  if (!organizations) throw new Error('The command organizations is missing.')
  addExport(organizations, io)
  addImport(organizations, io)
}

function addExport(organizations: Command, io: Io): void {
  organizations
    .command('export')
    .description(
      'Writes everything that an organization has to an archive of JSON and files, except secrets, people and keys. A server can keep running. Continues where it was interrupted.',
    )
    .argument('<organization>', 'its name or id')
    .option('--to <file>', 'where to write it (default: the name of the organization and the date, in this folder)')
    .addHelpText('after', examples('organizations export Acme', 'organizations export Acme --to /mnt/acme.tar.gz'))
    .action(async (wanted: string, options: { to?: string }, command: Command) => {
      const { json } = globalsOf(command)
      const progress = createProgress(io, { json: json === true })
      const report = await withApp(io, async (app) => {
        const id = await chooseOrganization(app, wanted)
        const { name } = await app.services.organizations.get(system, id)
        const target = resolve(io.folder, options.to ?? archiveName(name, new Date()))
        if (!existsSync(dirname(target))) throw new UsageError(`The folder ${dirname(target)} does not exist.`)
        return app.services.exportOrganization(system, id, {
          target,
          version: productVersion(),
          show: (label, done) => progress.show({ label, done, total: 0 }),
          signal: io.signal,
        })
      }).finally(() => progress.end())
      if (json) return printJson(io, report)
      const { file, bytes, rows, files, missing } = report
      printLines(io, [
        `${file}  ${(bytes / 1e6).toFixed(1)} MB, ${pluralize(rows, 'row')} and ${pluralize(files, 'file')}`,
        ...missing.map((name) => `The file ${name} was missing already.`),
      ])
    })
}

function addImport(organizations: Command, io: Io): void {
  organizations
    .command('import')
    .description(
      'Checks an archive that export wrote, and creates an organization from it, with new ids. Continues where it was interrupted. Nobody sees the organization before it is complete.',
    )
    .argument('<file>', 'an archive made by organizations export')
    .option('--name <name>', 'name of the new organization (default: that of the archive)')
    .option('--administrator <e-mail>', 'the account that becomes its administrator, who invites the others')
    .addHelpText(
      'after',
      examples('organizations import acme.tar.gz', 'organizations import acme.tar.gz --name "Acme 2"'),
    )
    .action(async (file: string, options: { name?: string; administrator?: string }, command: Command) => {
      const archive = resolve(io.folder, file)
      if (!existsSync(archive)) throw new UsageError(`There is no file ${archive}.`)
      const name = options.name === undefined ? null : organizationSchema.shape.name.safeParse(options.name)
      if (name && !name.success) throw new UsageError(`--name: ${name.error.issues[0]?.message}`)
      const { json } = globalsOf(command)
      const progress = createProgress(io, { json: json === true })
      const report = await withApp(io, (app) =>
        app.services.importOrganization(system, {
          archive,
          name: name?.data ?? null,
          administrator: options.administrator ?? null,
          show: (label, done, total) => progress.show({ label, done, total }),
          signal: io.signal,
        }),
      ).finally(() => progress.end())
      if (json) return printJson(io, report)
      const { organization, rows, files, skipped } = report
      printLines(io, [
        `Imported ${organization.name} (${organization.id}): ${pluralize(rows, 'row')} and ${pluralize(files, 'file')}.`,
        ...(skipped > 0 ? [`${pluralize(skipped, 'row')} belonged to what changed during the export.`] : []),
        ...(options.administrator === undefined
          ? ['It has no members, so nobody can open it. Delete it, and import it with --administrator <e-mail>.']
          : []),
        'The server builds the semantic index in the background; until then, searches go by keywords alone.',
        'Enter again what is secret: provider keys, and request headers of sources. Create new keys for its agents.',
      ])
    })
}

/** A name that every file system takes. */
function archiveName(organization: string, now: Date): string {
  const name = organization.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '')
  return `${name || 'organization'}-${stampOf(now)}.tar.gz`
}
