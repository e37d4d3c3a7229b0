import type { Command } from 'commander'
import { pluralize } from '../../contract/texts/pluralize'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import type { ChangeableCollection } from '../../server/services/collection-models/model-changes'
import { type Cli, examples, globalsOf } from '../cli'
import { type Io, printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'

interface SwitchOptions {
  collection?: string[]
  all?: boolean
}

/** Adds `models switch`. */
export function addSwitch(models: Command, { io }: Cli): void {
  models
    .command('switch <name>')
    .description(
      'Changes the model of collections, of all organizations. Their new indexes are built in the background, two at a time, and searches read the present ones until then. Without an option, lists the collections that have another model.',
    )
    .option('--collection <id...>', 'change these collections')
    .option('--all', 'change all collections that have another model')
    .addHelpText(
      'after',
      examples('models switch intfloat/multilingual-e5-small', 'models switch intfloat/multilingual-e5-small --all'),
    )
    .action((name: string, options: SwitchOptions, command: Command) =>
      switchModel(io, name, options, globalsOf(command).json === true),
    )
}

async function switchModel(io: Io, name: string, { collection: ids, all }: SwitchOptions, json: boolean) {
  if (ids && all) throw new UsageError('--collection and --all exclude each other.')
  const { found, changed, isServerAlive } = await withApp(io, async (app) => {
    const found = await app.services.modelChanges.changeable(system, name)
    const chosen = all ? found : (ids ?? []).map((id) => found.find((item) => item.id === id) ?? missing(id, name))
    for (const { id, organizationId } of chosen)
      await app.services.modelChanges.start(system, { organizationId, collectionId: id }, name)
    return { found, changed: chosen, isServerAlive: await isAlive(app) }
  })
  if (json) return printJson(io, all || ids ? { changing: changed } : { collections: found })
  if (!all && !ids) return printLines(io, listLines(found, name))
  printLines(io, [
    `${pluralize(changed.length, 'collection')} will have ${name}.`,
    ...(changed.length === 0
      ? []
      : [
          isServerAlive
            ? 'The server builds the new indexes. The pages of the collections show the progress.'
            : 'Start the server: it builds the new indexes.',
        ]),
  ])
}

function isAlive({ services }: App): Promise<boolean> {
  return services.installation.isServerAlive()
}

function missing(id: string, name: string): never {
  throw new UsageError(
    `There is no collection ${id} with another model than ${name}. Run: sitelore models switch ${name}`,
  )
}

function listLines(found: ChangeableCollection[], name: string): string[] {
  if (found.length === 0) return [`All collections have ${name}, or are being changed.`]
  const width = Math.max(...found.map((item) => item.name.length))
  return [
    ...found.map((item) =>
      [item.name.padEnd(width), item.id, item.model, pluralize(item.fragments, 'fragment')].join('  '),
    ),
    '',
    `To change one: sitelore models switch ${name} --collection <id>`,
    `To change all: sitelore models switch ${name} --all`,
  ]
}
