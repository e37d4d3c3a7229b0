import type { FoundSource } from '../find-source'

/** The JSON fields of a source and its last run. */
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
