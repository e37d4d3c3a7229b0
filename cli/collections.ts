import type { Command } from 'commander'
import { pluralize } from '../contract/texts/pluralize'
import { system } from '../server/actor'
import { chooseCollection, chooseOrganization, everyPage } from './accounts/organization'
import { type Cli, examples, globalsOf } from './cli'
import { printJson, printLines, UsageError } from './io'
import { withApp } from './open-app'

/** Adds `collections`. */
export function addCollections(program: Command, { io }: Cli): void {
  const collections = program
    .command('collections')
    .summary('list and delete collections')
    .description('Lists the collections; with delete it deletes one.')
    .addHelpText('after', examples('collections', 'collections delete Website --yes'))

  collections
    .command('list', { isDefault: true })
    .description('Lists the collections, the newest first.')
    .addHelpText('after', examples('collections list', 'collections list --json'))
    .action(async (_options: object, command: Command) => {
      const { organization, json } = globalsOf(command)
      const all = await withApp(io, async (app) => {
        const organizationId = await chooseOrganization(app, organization)
        return everyPage((page) => app.services.collections.list(system, organizationId, { page, limit: 100 }))
      })
      if (json) return printJson(io, { collections: all })
      if (all.length === 0) return printLines(io, ['There are no collections yet.'])
      const width = Math.max(...all.map(({ name }) => name.length))
      printLines(
        io,
        all.map(({ id, name, fragments }) => [name.padEnd(width), id, pluralize(fragments, 'fragment')].join('  ')),
      )
    })

  collections
    .command('delete')
    .description(
      'Deletes a collection with its sources, addresses and fragments. Its agents stay, without a collection.',
    )
    .argument('<collection>', 'its name or id')
    .option('--yes', 'confirms that everything in it is deleted')
    .addHelpText('after', examples('collections delete Website --yes'))
    .action(async (wanted: string, { yes }: { yes?: boolean }, command: Command) => {
      const { organization, json } = globalsOf(command)
      const { id, name } = await withApp(io, async (app) => {
        const organizationId = await chooseOrganization(app, organization)
        const collection = await chooseCollection(app, organizationId, wanted)
        if (!yes) throw new UsageError(`This deletes ${collection.name} with all its sources. Add --yes to confirm.`)
        await app.services.collections.remove(system, organizationId, collection.id)
        if (!(await app.services.installation.isServerAlive())) await app.services.purge.collection(collection.id)
        return collection
      })
      if (json) printJson(io, { collection: { id, name } })
      else printLines(io, [`${name} is deleted.`])
    })
}
