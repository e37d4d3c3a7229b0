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

/** Returns the keys of all fragments in the index of an installation, in order. */
export async function keysInOpenSearch({ url, indexPrefix }: { url: string; indexPrefix: string }): Promise<number[]> {
  const response = await fetch(`${url}/${indexPrefix}-fragments/_search?size=10000&_source=false`)
  const { hits } = (await response.json()) as { hits: { hits: { _id: string }[] } }
  return hits.hits.map(({ _id }) => Number(_id)).sort((first, second) => first - second)
}
