import { sourceAddress } from '../../contract/texts/pages/source-address'
import { pluralize } from '../../contract/texts/pluralize'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import type { FoundSource } from '../find-source'
import { CommandError, type Io, printJson, printLines } from '../io'
import { runFields } from '../runs/run-fields'

/** Prints the addresses that a discovery run found. Throws a CommandError if it found none. */
export async function printDiscovery(app: App, io: Io, found: FoundSource, json: boolean): Promise<void> {
  const { organizationId, collection, source } = found
  const unread = { page: 1, limit: 100, status: 'new' as const, sourceId: source.id }
  const { total } = await app.services.addresses.list(system, organizationId, collection.id, unread)
  const ignored = source.last_run?.ignored ?? 0
  if (json) {
    printJson(io, {
      ...runFields(found),
      addresses: source.addresses,
      not_read_yet: total,
    })
  } else {
    const counts = [`${pluralize(source.addresses, 'address')} known`, `${total} not fetched yet`]
    printLines(io, [
      `${source.url ? sourceAddress(source) : source.name} in collection ${collection.name}`,
      [...counts, ...(ignored > 0 ? [`${ignored} over the limit`] : [])].join(', '),
      ...(total > 0 ? ['Index them with the same command without --discover.'] : []),
    ])
  }
  if (source.status === 'fail') throw new CommandError(source.message ?? 'No addresses were found.')
}
