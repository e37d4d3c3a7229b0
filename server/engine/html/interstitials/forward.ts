import type { Block, PageForward } from '../../ports/extractor'
import { countWords } from '../content/prose'
import { attributeOf, type PageElement } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { lettersOnly } from '../dom/text'
import { absoluteAddress } from '../links'
import { forwardPhrases, javaScriptPhrases } from './interstitial-phrases'
import { hasEmptyRoot } from './interstitials'
import { maxDelaySeconds, unconditionalTargets } from './unconditional-targets'

/** A page with more words has a text of its own, wherever it sends its visitors. */
const maxWords = { refresh: 60, script: 30 }
/** Characters of a script that only forwards; a longer one decides when. */
const maxScriptLength = 3_000

/** The content of a refresh: the delay, then the target, as the HTML standard parses it. */
const refreshPattern = /^\s*(\d+)(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|([^"'].*))/i

/**
 * Returns where a page without a text of its own forwards, by a refresh or by a script that names the address as a
 * constant. `title` is that of the head. Null where it does not, names several, or names itself.
 */
export function forwardOf(
  page: ParsedPage,
  blocks: Block[],
  { title, url, base }: { title: string; url: string; base: string },
): PageForward | null {
  const refresh = refreshTarget(page.metas.filter((meta) => !isInNoscript(meta)))
  if (refresh !== null) return wordsIn(blocks, maxWords.refresh) > maxWords.refresh ? null : forwardTo(refresh, false)
  if (wordsIn(blocks, maxWords.script) > maxWords.script) return null
  const byScript = scriptTarget(page)
  const target = byScript ?? refreshTarget(page.metas.filter(isInNoscript))
  const forward = target === null ? null : forwardTo(target, byScript === null)
  return forward === null || hasOwnText(blocks, [title, forward.url]) ? null : forward

  function forwardTo(reference: string, isForNoScript: boolean): PageForward | null {
    const address = absoluteAddress(reference, base)
    return address === null || address === absoluteAddress(url, url) ? null : { url: address, isForNoScript }
  }
}

function isInNoscript(element: PageElement): boolean {
  for (let node = element.parent; node; node = node.parent) if (node.name === 'noscript') return true
  return false
}

/** Counts up to one more than `max`. */
function wordsIn(blocks: Block[], max: number): number {
  return blocks.reduce((sum, block) => sum + countWords(block.text, max + 1), 0)
}

/** Whether more is on the page than its title, its target and words about the forwarding. A script can run on a click alone. */
function hasOwnText(blocks: Block[], [title, target]: [title: string, target: string]): boolean {
  const name = lettersOnly(title)
  const address = lettersOnly(target)
  return blocks.some(({ text }) => {
    if (forwardPhrases.test(text) || javaScriptPhrases.test(text)) return false
    const letters = lettersOnly(text)
    return letters !== name && !address.endsWith(letters)
  })
}

/** The first one counts, as in browsers. */
function refreshTarget(metas: PageElement[]): string | null {
  for (const meta of metas) {
    if (attributeOf(meta, 'http-equiv')?.trim().toLowerCase() !== 'refresh') continue
    const [, delay, ...forms] = refreshPattern.exec(attributeOf(meta, 'content') ?? '') ?? []
    const target = forms.find((form) => form !== undefined)?.trim()
    if (target && Number(delay) <= maxDelaySeconds) return target
  }
  return null
}

/** Null where the scripts name several: they decide between them. */
function scriptTarget(page: ParsedPage): string | null {
  // Forms, and apps that render in the browser, send their visitors on when these do something.
  if (page.inputs.length + page.buttons.length > 0 || hasEmptyRoot(page.body)) return null
  const targets = new Set<string>()
  for (const script of page.scripts) {
    const text = script.children.join('')
    if (text.length > maxScriptLength) continue
    for (const target of unconditionalTargets(text)) if (target.trim() !== '') targets.add(target.trim())
  }
  const [target = null, ...others] = targets
  return others.length > 0 ? null : target
}
