import type { Block } from '../../ports/extractor'
import { blocksOf } from '../blocks/blocks'
import { countWords } from '../content/prose'
import type { ParsedPage } from '../dom/parse'
import { javaScriptPhrases } from '../interstitials/interstitial-phrases'
import { createCollector } from './collector'
import { hydrationStateOf } from './embedded-json'
import { collectState } from './hydration-state'
import { collectJsonLd } from './json-ld'
import { withoutOtherPages } from './page-subject'

/** Words of structured data from which on it is the complete text, which hydration state would repeat. */
const minCompleteWords = 100
/** Texts with fewer words are ignored. */
const minWords = 8

interface EmbeddedText {
  blocks: Block[]
  textFrom: 'data' | 'noscript'
}

/**
 * Returns text that a page embeds without showing it: in structured data, hydration state, or noscript elements; null
 * without any. No script is run. Prefers data about the page, which has this title and these addresses, to other data.
 */
export function embeddedText(
  page: ParsedPage,
  jsonLd: unknown[],
  { title, addresses }: { title: string; addresses: readonly (string | null)[] },
): EmbeddedText | null {
  const collector = createCollector()
  collectJsonLd(withoutOtherPages(jsonLd, { text: title, addresses }), collector)
  if (wordsIn(collector.blocks) < minWords) collectJsonLd(jsonLd, collector)
  if (wordsIn(collector.blocks) < minCompleteWords) collectState(hydrationStateOf(page.scripts), collector)
  if (wordsIn(collector.blocks) >= minWords) return { blocks: collector.blocks, textFrom: 'data' }
  const blocks = page.noscripts
    .flatMap((element) => blocksOf(element))
    .filter(({ text }) => !javaScriptPhrases.test(text))
  return wordsIn(blocks) >= minWords ? { blocks, textFrom: 'noscript' } : null
}

function wordsIn(blocks: Block[]): number {
  let count = 0
  for (const { text } of blocks) {
    count += countWords(text, minCompleteWords)
    if (count >= minCompleteWords) break
  }
  return count
}
