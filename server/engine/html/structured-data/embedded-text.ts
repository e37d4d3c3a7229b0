import type { Block } from '../../ports'
import { blocksOf } from '../blocks/blocks'
import { wordsOf } from '../content/prose'
import type { ParsedPage } from '../dom/parse'
import { asksForScript } from '../interstitials/interstitial-phrases'
import { createCollector } from './collector'
import { stateIn } from './embedded-json'
import { walkState } from './hydration-state'
import { walkDescribed } from './json-ld'

/** So many words of structured data are the text itself, which the state would only repeat. */
const wholeText = 100
/** Fewer words say nothing. */
const fewestWords = 8

interface CarriedText {
  blocks: Block[]
  textFrom: 'data' | 'noscript'
}

/**
 * Text that a page carries without showing it: in structured data, in the state that a script would show, or for
 * readers without scripts. Null when it carries none. No script is run. `described` is the structured data.
 */
export function carriedText(page: ParsedPage, described: unknown[]): CarriedText | null {
  const collector = createCollector()
  walkDescribed(described, collector)
  if (wordsIn(collector.blocks) < wholeText) walkState(stateIn(page.scripts), collector)
  if (wordsIn(collector.blocks) >= fewestWords) return { blocks: collector.blocks, textFrom: 'data' }
  const blocks = page.noscripts.flatMap((element) => blocksOf(element)).filter(({ text }) => !asksForScript.test(text))
  return wordsIn(blocks) >= fewestWords ? { blocks, textFrom: 'noscript' } : null
}

function wordsIn(blocks: Block[]): number {
  let count = 0
  for (const { text } of blocks) {
    count += wordsOf(text, wholeText)
    if (count >= wholeText) break
  }
  return count
}
