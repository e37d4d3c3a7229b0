import { embeddingText, headingSeparator } from '../../../server/engine/chunking/embedding-text'
import { frequentLanguages } from '../../../server/engine/language/frequent-languages'
import type { Embedder, Tokenizer } from '../../../server/engine/ports/search-index'
import type { SearchIndex } from '../../../server/engine/search/hybrid-search'
import { openSearchStore } from '../../support/database/search-store'
import type { EvalFragment } from './set-fragments'

const batch = 200
const collectionId = 'set'

export interface SetIndex {
  collectionId: string
  index: SearchIndex<EvalFragment>
  close(): Promise<void>
}

/** Indexes the fragments of a set in a database of its own. */
export async function indexSet(
  fragments: EvalFragment[],
  { embedder, tokenizer }: { embedder: Embedder; tokenizer: Tokenizer },
): Promise<SetIndex> {
  const { textIndex, vectorIndex, ...store } = await openSearchStore()
  for (let start = 0; start < fragments.length; start += batch) {
    const items = fragments.slice(start, start + batch)
    const vectors = await embedder.embedPassages(items.map(embeddingText))
    await store.database.write(async (tx) => {
      await textIndex.add(
        tx,
        items.map((fragment) => ({ ...fragment, collectionId, headings: headingsOf(fragment) })),
      )
      await vectorIndex.add(
        tx,
        collectionId,
        items.map(({ key }, n) => ({ key, vector: vectors[n] ?? new Float32Array() })),
      )
    })
  }
  await store.settle()
  return {
    collectionId,
    index: {
      textIndex,
      vectorIndex,
      embedder,
      tokenizer,
      languages: frequentLanguages(languagesOf(fragments)),
      loadFragments: async (keys) => keys.flatMap((key) => fragments[key - 1] ?? []),
      countPendingEmbeddings: async () => 0,
      ranker: store.ranker,
    },
    close: store.close,
  }
}

function languagesOf(fragments: EvalFragment[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { language } of fragments) counts.set(language, (counts.get(language) ?? 0) + 1)
  return counts
}

/** Headings above and within the fragment, as the product indexes them. */
function headingsOf({ headings, innerHeadings }: EvalFragment): string {
  return [headings, innerHeadings].filter((part) => part !== '').join(headingSeparator)
}
