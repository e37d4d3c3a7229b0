import type { Client } from '@opensearch-project/opensearch'
import { cutWord } from '../../engine/search/terms'
import { anyTerm, tagOf } from './fragment-document'
import type { IndexNames } from './search-indexes'

/** Documents with a term. Those that were deleted count until their segment is merged. */
export interface TermFrequencies {
  fragments: number
  /** Documents that have it as a word. */
  wordFragments: number
}

export type TermField = 'terms' | 'words'

/** What one search knows of the terms of its collection. */
export interface TermStatistics {
  readonly tag: string
  /** Reads the frequencies of terms, in one request for those that are not known yet. */
  load(terms: Iterable<string>): Promise<void>
  /** Of loaded terms. */
  frequencies(term: string): TermFrequencies
  /** Fragments of the collection. */
  fragments(): number
  /** Documents of the shard that have the field. The server derives its weights from them. */
  documents(field: TermField): number
}

const none: TermFrequencies = { fragments: 0, wordFragments: 0 }
/** Terms in one request. */
const maxTerms = 2_000

export function createTermStatistics(
  client: Client,
  names: Pick<IndexNames, 'fragments'>,
  collectionId: string,
): TermStatistics {
  const tag = tagOf(collectionId)
  const known = new Map<string, TermFrequencies>()
  const documents = { terms: 0, words: 0 }

  async function read(terms: string[]): Promise<void> {
    const text = terms.map((term) => tag + term).join(' ')
    const { body } = await client.termvectors({
      index: names.fragments,
      routing: collectionId,
      term_statistics: true,
      positions: false,
      offsets: false,
      payloads: false,
      body: { doc: { words: text, terms: text } },
    })
    const { words, terms: all } = (body.term_vectors ?? {}) as Partial<Record<TermField, FieldVector>>
    documents.words = words?.field_statistics?.doc_count ?? 0
    documents.terms = all?.field_statistics?.doc_count ?? 0
    for (const term of terms)
      known.set(term, {
        fragments: all?.terms[tag + term]?.doc_freq ?? 0,
        wordFragments: words?.terms[tag + term]?.doc_freq ?? 0,
      })
  }

  return {
    tag,
    async load(terms) {
      const wanted = known.has(anyTerm) ? new Set<string>() : new Set([anyTerm])
      for (const term of terms) if (!known.has(cutWord(term))) wanted.add(cutWord(term))
      const list = [...wanted]
      for (let start = 0; start < list.length; start += maxTerms) await read(list.slice(start, start + maxTerms))
    },
    frequencies: (term) => known.get(cutWord(term)) ?? none,
    fragments: () => known.get(anyTerm)?.fragments ?? 0,
    documents: (field) => documents[field],
  }
}

interface FieldVector {
  field_statistics?: { doc_count: number }
  terms: Record<string, { doc_freq?: number }>
}
