import { createSqliteTextIndex } from '../../server/adapters/text-index/text-index'
import { createSqliteVectorIndex } from '../../server/adapters/vector-index/vector-index'
import { headingSeparator, passageOf } from '../../server/engine/chunking/embedding-text'
import type { Embedder, Tokenizer } from '../../server/engine/ports'
import type { ReadQuery } from '../../server/engine/search/parse-query'
import type { RetrieveDeps } from '../../server/engine/search/search'
import { openIndexDatabase } from '../support/index-database'
import type { EvalFragment } from './set-fragments'

const batch = 200
const collectionId = 'set'

export interface SetIndex {
  collectionId: string
  deps: RetrieveDeps<EvalFragment>
  close(): Promise<void>
}

/** The fragments of a set in the product's indexes, in a database of their own. */
export async function indexSet(
  fragments: EvalFragment[],
  { embedder, tokenizer, readQuery }: { embedder: Embedder; tokenizer: Tokenizer; readQuery(query: string): ReadQuery },
): Promise<SetIndex> {
  const opened = await openIndexDatabase({ dimensions: embedder.dimensions, rehearse: false })
  const textIndex = createSqliteTextIndex({ search: opened.search, readQuery })
  const vectorIndex = createSqliteVectorIndex({ search: opened.search })
  for (let start = 0; start < fragments.length; start += batch) {
    const some = fragments.slice(start, start + batch)
    const vectors = await embedder.embedPassages(some.map(passageOf))
    await opened.database.write(async (tx) => {
      await textIndex.add(
        tx,
        some.map((fragment) => ({ ...fragment, collectionId, headings: headingsOf(fragment) })),
      )
      await vectorIndex.add(
        tx,
        collectionId,
        some.map(({ key }, n) => ({ key, vector: vectors[n] ?? new Float32Array() })),
      )
    })
  }
  return {
    collectionId,
    deps: {
      textIndex,
      vectorIndex,
      embedder,
      tokenizer,
      readQuery,
      loadFragments: async (keys) => keys.flatMap((key) => fragments[key - 1] ?? []),
      countWithoutVector: async () => 0,
    },
    close: () => opened.close(),
  }
}

/** In force and inside, as the product gives them to the word index. */
function headingsOf({ headings, innerHeadings }: EvalFragment): string {
  return [headings, innerHeadings].filter((part) => part !== '').join(headingSeparator)
}
