import type { AddressView } from '../../../contract/views/address'
import type { SourceView } from '../../../contract/views/source'
import { isBusy } from '../sources/progress-line'

type Source = Pick<SourceView, 'id' | 'status' | 'paused'>
type Address = Pick<AddressView, 'source_id' | 'status'>

/**
 * Whether the listed addresses may change without an event about the listed sources, because they belong to other
 * sources. The addresses were read before their sources: one that is still being read may belong to a source that has
 * become idle since then.
 */
export function isBusyElsewhere(sources: Source[], listed: Source[], addresses: Address[]): boolean {
  const listedIds = new Set(listed.map(({ id }) => id))
  return sources
    .filter(({ id }) => !listedIds.has(id))
    .some((source) => isBusy(source) || (!source.paused && hasUnread(source, addresses)))
}

function hasUnread({ id }: Source, addresses: Address[]): boolean {
  return addresses.some(({ source_id, status }) => source_id === id && (status === 'pending' || status === 'crawling'))
}
