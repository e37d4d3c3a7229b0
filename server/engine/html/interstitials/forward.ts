import type { Block } from '../../ports'
import { countWords } from '../content/prose'
import { attributeOf } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { absoluteAddress } from '../links'
import { hasEmptyRoot } from './interstitials'

/** A page with more words has a text of its own, wherever it sends its visitors. A script may do so on a click alone. */
const maxWords = { refresh: 60, script: 30 }
/** A page that waits longer in seconds, such as a live ticker, is to be read. */
const maxDelaySeconds = 10
/** Characters of a script that only forwards; a longer one decides when. */
const maxScriptLength = 3_000

/** The content of a refresh: the delay, then the target, as the HTML standard parses it. */
const refreshPattern = /^\s*(\d+)(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|([^"'].*))/i
const comments = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*/g
/** The script's own query and fragment, which it appends to the target. */
const ownParts = String.raw`(?:\s*\+\s*(?:(?:window|document)\s*\.\s*)?location\s*\.\s*(?:search|hash))*`
const literal = String.raw`(?:"([^"\\\n]+)"|'([^'\\\n]+)'|${'`'}([^${'`'}\\$\n]+)${'`'})${ownParts}\s*`
const location = String.raw`(?<![\w$.]|\b(?:var|let|const)\s)(?:(?:window|document|self|top|parent|globalThis)\s*\.\s*)*location`
const statements = new RegExp(
  `${location}\\s*(?:\\.\\s*(?:replace|assign)\\s*\\(\\s*${literal}\\)|(?:\\.\\s*href\\s*)?=\\s*${literal}(?=[;,})"'\\n]|$|//|<))`,
  'g',
)

/**
 * Returns the address to which a page without a text of its own forwards, by a refresh or by a script that names it as a
 * constant; absolute, without fragment. Null where it does not, names several, or names itself.
 */
export function forwardOf(page: ParsedPage, blocks: Block[], url: string, base: string): string | null {
  const refreshed = refreshTarget(page)
  const target = refreshed ?? scriptTarget(page)
  if (target === null) return null
  const address = absoluteAddress(target, base)
  if (address === null || address === absoluteAddress(url, url)) return null
  const limit = refreshed === null ? maxWords.script : maxWords.refresh
  const words = blocks.reduce((sum, block) => sum + countWords(block.text, limit + 1), 0)
  return words <= limit ? address : null
}

/** The first one counts, as in browsers. */
function refreshTarget(page: ParsedPage): string | null {
  for (const meta of page.metas) {
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
    for (const [, ...forms] of text.replace(comments, ' ').matchAll(statements)) {
      const target = forms.find((form) => form !== undefined)?.trim()
      if (target) targets.add(target)
    }
  }
  const [target = null, ...others] = targets
  return others.length > 0 ? null : target
}
