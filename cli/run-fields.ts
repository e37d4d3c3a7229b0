import type { FoundSource } from './find-source'

/** What JSON says of a source's last run and of where it stands. */
export function runFields({ source, collection }: Pick<FoundSource, 'source' | 'collection'>) {
  return {
    ...source.last_run,
    source_id: source.id,
    source_status: source.status,
    source_reason: source.reason,
    source_message: source.message,
    collection_id: collection.id,
  }
}
