import { chunkDocument } from '../../../server/engine/chunking/chunk'
import { embeddingText } from '../../../server/engine/chunking/embedding-text'
import type { Heading } from '../../../server/engine/chunking/heading-path'
import type { Block, Fragment, PageDocument } from '../../../server/engine/ports/extractor'
import type { Tokenizer } from '../../../server/engine/ports/search-index'

/** About as fine as the model's tokenizer: four letters or digits per token, or any other character. */
export const tokenizer: Tokenizer = {
  count: (text) => (text.match(/[\p{L}\p{N}]{1,4}|[^\p{L}\p{N}\s]/gu) ?? []).length,
}

/** A page with these blocks and nothing else. */
export function page(blocks: Block[], title = 'Lamps'): PageDocument {
  const metadata = { description: '', language: 'en', canonical: null, noindex: false, nofollow: false }
  const dates = { unavailableAfter: null, publishedAt: null, modifiedAt: null }
  const none = {
    around: [],
    contacts: [],
    siteName: '',
    parent: '',
    links: [],
    feeds: [],
    languages: new Map<string, string>(),
  }
  return {
    title,
    ...metadata,
    ...dates,
    ...none,
    author: '',
    icon: null,
    interstitial: null,
    forward: null,
    textFrom: 'page',
    isLinkList: false,
    blocks,
  }
}

export const heading = (level: number, text: string, anchor: string | null = null): Heading => ({
  kind: 'heading',
  level,
  text,
  anchor,
})
export const block = (
  text: string,
  kind: 'paragraph' | 'code' | 'list' | 'table' = 'paragraph',
  anchor: string | null = null,
): Block => ({ kind, text, anchor })
/** Returns short sentences. */
export const sentences = (count: number, word = 'lamp') =>
  Array.from({ length: count }, (_, index) => `The ${word} number ${index} hums.`).join(' ')
export const chunk = (...blocks: Block[]) => chunkDocument(page(blocks), tokenizer)

/** Counts the tokens of the embedded text. */
export const tokensOf = (fragment: Fragment) =>
  tokenizer.count(embeddingText({ ...fragment, headings: fragment.headings.join(' / ') }))
