import { SQLite } from '../../../db/sqlite-driver'
import { readStoredSegment } from '../../../server/adapters/text-index/read-stored-segment'

/** Returns the keys of all fragments in the text index of a database, in order. */
export function keysInTextIndex(file: string): number[] {
  const connection = new SQLite(file, { readonly: true })
  try {
    const ids = connection
      .prepare<[], number>('select id from text_segments where collection_id is not null')
      .pluck()
      .all()
    const keys = ids.flatMap((id) => {
      const stored = readStoredSegment(connection, id)
      return [...(stored?.segment.keys() ?? [])].filter((_, fragment) => !stored?.deleted.has(fragment))
    })
    return keys.sort((first, second) => first - second)
  } finally {
    connection.close()
  }
}
