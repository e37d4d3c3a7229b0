import type { Block, Interstitial } from '../../ports/extractor'
import { countWords } from '../content/prose'
import { isDropped } from '../dom/boilerplate-elements'
import { attributeOf, descendantsOf, lettersOf, type PageElement } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { textOf } from '../dom/text'
import {
  acceptPhrases,
  consentTerms,
  javaScriptPhrases,
  notFoundPhrases,
  signInPhrases,
  statusCodeTerms,
} from './interstitial-phrases'

/** A page with a longer text, in characters, is never an interstitial. */
const maxTextLength = 3000
/** Word limits of each kind. */
const maxWords = { login: 80, loginWithoutName: 25, consent: 250, notFound: 120, notFoundExplained: 40, script: 30 }
/** Characters of inline script from which on a page is a script's bundle. */
const minBundleLength = 50_000

const overlayNames = /(^|[\s_-])(modal|popup|pop-up|dropdown|offcanvas|topbar|header|sidebar|drawer|overlay)([\s_-]|$)/i
const rootNames =
  /^(root|app|__next|__nuxt|___gatsby|svelte|main-app|app-root|react-root|q-app|ember-app|application|mount)$/i

/**
 * Detects a page that is shown instead of content; null for a regular page. `title` is that of the head. The rules
 * prefer missing an interstitial to reporting a regular page.
 */
export function detectInterstitial(page: ParsedPage, blocks: Block[], title: string): Interstitial | null {
  const length = blocks.reduce((sum, block) => sum + block.text.length, 0)
  if (length > maxTextLength) return null
  const text = blocks.map((block) => block.text).join('\n')
  const words = countWords(text, 500)
  const headings = blocks.filter((block) => block.kind === 'heading').map((block) => block.text)
  if (isSoft404(blocks, headings, title, words, text)) return 'soft-404'
  if (isLogin(page, [title, ...headings], words)) return 'login'
  if (isConsent(page, blocks, words)) return 'consent'
  return needsScript(page, headings, text, words) ? 'script' : null
}

function isSoft404(blocks: Block[], headings: string[], title: string, words: number, text: string): boolean {
  if (words > maxWords.notFound || blocks.some(({ kind }) => kind === 'code' || kind === 'table')) return false
  const [first = ''] = headings
  const saysNotFound =
    notFoundPhrases.test(first.slice(0, 120)) || titleParts(title).some((part) => notFoundPhrases.test(part))
  if (!saysNotFound || headings.length > 5) return false
  return words <= maxWords.notFoundExplained || !statusCodeTerms.test(text)
}

/** Returns the title and its parts without the site's name, which may come first or last. */
function titleParts(title: string): string[] {
  const parts = title
    .slice(0, 200)
    .split(/\s[-–—]\s|\s?[|·•»«]\s?/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return [
    title.slice(0, 120),
    ...parts.filter((_, position) => parts.every((part, index) => index === position || countWords(part, 6) < 6)),
  ]
}

function isLogin(page: ParsedPage, names: string[], words: number): boolean {
  if (words > maxWords.login) return false
  const fields = page.inputs.filter((input) => (attributeOf(input, 'type') ?? '').toLowerCase() === 'password')
  if (!fields.some((field) => !isInOverlay(field))) return false
  if (names.some((name) => countWords(name, 13) <= 12 && signInPhrases.test(name))) return true
  return words <= maxWords.loginWithoutName && buttonLabels(page).some((label) => signInPhrases.test(label))
}

/** Whether an element is in the frame of the page or in something that opens later. */
function isInOverlay(element: PageElement): boolean {
  for (let node = element.parent; node?.parent; node = node.parent) {
    if (node.name === 'header' || node.name === 'aside' || isDropped(node)) return true
    if (overlayNames.test(`${attributeOf(node, 'class') ?? ''} ${attributeOf(node, 'id') ?? ''}`)) return true
  }
  return false
}

function buttonLabels(page: ParsedPage): string[] {
  const labels = [...page.buttons, ...page.links]
    .filter((element) => lettersOf(element) <= 60)
    .map((element) => textOf(element))
  for (const input of page.inputs)
    if (attributeOf(input, 'type') === 'submit') labels.push(attributeOf(input, 'value') ?? '')
  return labels
}

/** Whether most of the text is about consent, and a button gives it. */
function isConsent(page: ParsedPage, blocks: Block[], words: number): boolean {
  if (words > maxWords.consent) return false
  const terms = new Set<string>()
  let about = 0
  let all = 0
  for (const { text } of blocks) {
    const found = text.match(consentTerms) ?? []
    for (const term of found) terms.add(term.toLowerCase())
    all += text.length
    if (found.length > 0) about += text.length
  }
  if (terms.size < 3 || about * 2 < all) return false
  return buttonLabels(page).some((label) => countWords(label, 9) <= 8 && acceptPhrases.test(label))
}

/** A short page with a heading is a regular page. */
function needsScript(page: ParsedPage, headings: string[], text: string, words: number): boolean {
  if (words > maxWords.script || page.scripts.length === 0) return false
  if (javaScriptPhrases.test(text)) return true
  if (headings.length > 0) return false
  if (page.noscripts.some((element) => javaScriptPhrases.test(textOf(element)))) return true
  return hasEmptyRoot(page.body) || scriptLength(page) > minBundleLength
}

/** Whether an element waits to be filled by a script. */
export function hasEmptyRoot(body: PageElement): boolean {
  for (const element of descendantsOf(body)) {
    const isRoot = element.name === 'app-root' || rootNames.test(attributeOf(element, 'id') ?? '')
    if (isRoot && lettersOf(element) < 40) return true
  }
  return false
}

function scriptLength({ scripts }: ParsedPage): number {
  let sum = 0
  for (const script of scripts) sum += script.children.join('').length
  return sum
}
