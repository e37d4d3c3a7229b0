import { type Command, Option } from 'commander'
import { type AddressFilter, addressFilterSchema } from '../../contract/address'
import { withScheme } from '../../contract/sources/source'
import { addressLabel } from '../../contract/texts/pages/address-label'
import { pluralize } from '../../contract/texts/pluralize'
import { addressStatuses } from '../../contract/values/enumerations'
import { parseUrl } from '../../contract/values/url'
import type { AddressView } from '../../contract/views/address'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import type { AddressRef } from '../../server/services/addresses/find-address'
import { chooseCollection, chooseOrganization, everyPage, listCollections } from '../accounts/organization'
import { isSameAddress } from '../address'
import { type Cli, examples, globalsOf } from '../cli'
import { allSources, findSource, type Place } from '../find-source'
import { type Io, printJson, printLines, UsageError } from '../io'
import { withApp } from '../open-app'
import { followRun } from '../runs/follow-run'

interface Options {
  collection?: string
  source?: string
  reason?: string
  status?: string
  filter?: string
}

interface FoundAddress extends Place {
  address: AddressView
}

/** Commands that list excluded addresses, and retry or ignore one. */
export function addAddresses(program: Command, { io }: Cli): void {
  program
    .command('addresses')
    .summary('list the addresses that are not indexed, and why')
    .description(
      'Lists the known addresses that are not indexed, each with its reason. With --status, --reason or --filter, it lists all that match.',
    )
    .option('--collection <name>', 'only those of this collection, by name or id (default: the only one)')
    .option('--source <source>', 'only those of this source, by address, name or id')
    .option('--reason <code>', 'only those with this reason, as in robots-disallowed')
    .addOption(new Option('--status <status>', 'only those with this status').choices([...addressStatuses]))
    .option('--filter <text>', 'only those with this text in the address or the title')
    .addHelpText(
      'after',
      examples(
        'addresses',
        'addresses --collection Website --reason robots-disallowed',
        'addresses --status fail --json',
      ),
    )
    .action(async (options: Options, command: Command) => {
      const { organization, json } = globalsOf(command)
      const filter = readFilter(options)
      const found = await withApp(io, async (app) =>
        listAddresses(app, await chooseOrganization(app, organization), options, filter),
      )
      if (json) printJson(io, { addresses: found })
      else printLines(io, [...found.map(lineOf), pluralize(found.length, 'address')])
    })

  const acting = (name: 'retry' | 'ignore', summary: string, description: string) =>
    program
      .command(name)
      .summary(summary)
      .description(description)
      .argument('<address>', 'as "addresses" shows it')
      .option('--collection <name>', 'only in this collection, by name or id (default: in all of them)')
      .addHelpText('after', examples(`${name} https://example.com/prices`, `${name} https://example.com/prices --json`))
      .action(async (url: string, { collection }: { collection?: string }, command: Command) => {
        const { organization, json = false } = globalsOf(command)
        const now = await withApp(io, async (app) => {
          const found = await findAddresses(app, await chooseOrganization(app, organization), url, collection)
          const acting = found.map((foundAddress) => app.services.addresses[name](system, refOf(foundAddress)))
          const ends = await Promise.allSettled(acting)
          const acted = found.filter((_, n) => ends[n]?.status === 'fulfilled')
          if (name === 'retry' && acted.length > 0) await readThem(app, io, acted, json)
          // The command succeeds if one source accepts it.
          const refusal = ends.find((end) => end.status === 'rejected')
          if (refusal) throw refusal.reason
          return Promise.all(
            found.map(async (foundAddress) => ({
              collection: foundAddress.collection.name,
              address: await addressNow(app, foundAddress),
            })),
          )
        })
        if (json) printJson(io, { addresses: now.map(({ address }) => address) })
        else
          printLines(
            io,
            now.map(({ address, collection }) => `${lineOf(address)}  in ${collection}`),
          )
      })
  acting('retry', 'retry one address', 'Fetches one address again now, even if someone ignored it.')
  acting(
    'ignore',
    'ignore one address',
    'Ignores one address until someone retries it. Its fragments are removed at once.',
  )
}

function readFilter({ reason, filter }: Options): Pick<AddressFilter, 'reason' | 'filter'> {
  const parsed = addressFilterSchema.pick({ reason: true, filter: true }).safeParse({ reason, filter })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`--${String(issue?.path[0])}: ${issue?.message}`)
}

async function listAddresses(
  app: App,
  organizationId: string,
  { collection: wanted, source: wantedSource, status }: Options,
  filter: Pick<AddressFilter, 'reason' | 'filter'>,
): Promise<AddressView[]> {
  const source = wantedSource === undefined ? undefined : await findSource(app, organizationId, wantedSource, wanted)
  const collection = source?.collection ?? (await chooseCollection(app, organizationId, wanted))
  const asked = { ...filter, sourceId: source?.source.id, status: status as AddressView['status'] | undefined }
  const all = await everyPage((page) =>
    app.services.addresses.list(system, organizationId, collection.id, { page, limit: 100, ...asked }),
  )
  const isAsked = status !== undefined || filter.reason !== undefined || filter.filter !== undefined
  return isAsked ? all : all.filter(({ fragments }) => fragments === 0)
}

/** The sources that have the address. Throws a UsageError if there are none. */
async function findAddresses(
  app: App,
  organizationId: string,
  wanted: string,
  inCollection: string | undefined,
): Promise<FoundAddress[]> {
  const input = withScheme(wanted)
  const url = parseUrl(input)?.href.replace(/#.*$/, '') ?? input
  const collections =
    inCollection === undefined
      ? await listCollections(app, organizationId)
      : [await chooseCollection(app, organizationId, inCollection)]
  const found: FoundAddress[] = []
  for (const collection of collections) {
    const batch = await everyPage((page) =>
      app.services.addresses.list(system, organizationId, collection.id, { page, limit: 100, filter: url }),
    )
    for (const address of batch)
      if (isSameAddress(address.url, url)) found.push({ organizationId, collection, address })
  }
  if (found.length === 0)
    throw new UsageError(`${url} is unknown. List known addresses with: sitelore addresses --status new`)
  return found
}

async function readThem(app: App, io: Io, found: FoundAddress[], json: boolean): Promise<void> {
  const ids = new Set(found.map(({ address }) => address.source_id))
  const organizationId = found[0]?.organizationId ?? ''
  for (const placed of await allSources(app, organizationId))
    if (ids.has(placed.source.id)) await followRun(app, io, placed, json)
}

async function addressNow(app: App, found: FoundAddress): Promise<AddressView> {
  return (await app.services.addresses.get(system, refOf(found), { page: 1, limit: 5 })).address
}

function refOf({ organizationId, collection, address }: FoundAddress): AddressRef {
  return { organizationId, collectionId: collection.id, addressId: address.id }
}

function lineOf(address: AddressView): string {
  const { url, reason, message, fragments } = address
  const why = reason !== null ? `${reason}  ${message ?? ''}` : fragments > 0 ? pluralize(fragments, 'fragment') : ''
  return `${addressLabel(address).padEnd(13)}  ${url}  ${why}`.trimEnd()
}
