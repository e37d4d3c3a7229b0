import type { Block, PageStandIn } from '../../ports'
import { isDropped } from '../content/boilerplate-elements'
import { wordsOf } from '../content/prose'
import { attributeOf, elementsIn, lettersOf, type PageElement } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { textOf } from '../dom/text'
import { accepts, asksForScript, consentTerms, explainsStatus, isMissing, signsIn } from './interstitial-phrases'

/** Characters of text above which a page is one like others, whatever it says. */
const muchText = 3000
/** Words beside what each kind shows; pages of the kind have fewer. */
const fewWords = { login: 80, loginWithoutName: 25, consent: 250, missing: 120, missingExplained: 40, script: 30 }
/** Characters of script in the page itself. */
const muchScript = 50_000

const asideNames = /(^|[\s_-])(modal|popup|pop-up|dropdown|offcanvas|topbar|header|sidebar|drawer|overlay)([\s_-]|$)/i
const rootNames =
  /^(root|app|__next|__nuxt|___gatsby|svelte|main-app|app-root|react-root|q-app|ember-app|application|mount)$/i

/**
 * What a page shows in place of its own text; null for a page like others. `title` is that of the head. Plain rules,
 * that rather overlook a page than take one for what it is not.
 */
export function standInOf(page: ParsedPage, blocks: Block[], title: string): PageStandIn | null {
  const length = blocks.reduce((sum, block) => sum + block.text.length, 0)
  if (length > muchText) return null
  const text = blocks.map((block) => block.text).join('\n')
  const words = wordsOf(text, 500)
  const headings = blocks.filter((block) => block.kind === 'heading').map((block) => block.text)
  if (isMissingPage(blocks, headings, title, words, text)) return 'missing'
  if (isLogin(page, [title, ...headings], words)) return 'login'
  if (isConsent(page, blocks, words)) return 'consent'
  return isScript(page, headings, text, words) ? 'script' : null
}

function isMissingPage(blocks: Block[], headings: string[], title: string, words: number, text: string): boolean {
  if (words > fewWords.missing || blocks.some(({ kind }) => kind === 'code' || kind === 'table')) return false
  const [first = ''] = headings
  const isSaid = isMissing.test(first.slice(0, 120)) || titleParts(title).some((part) => isMissing.test(part))
  if (!isSaid || headings.length > 5) return false
  return words <= fewWords.missingExplained || !explainsStatus.test(text)
}

/** A title without the name of its site, on whichever side that stands. */
function titleParts(title: string): string[] {
  const parts = title
    .slice(0, 200)
    .split(/\s[-–—]\s|\s?[|·•»«]\s?/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return [
    title.slice(0, 120),
    ...parts.filter((_, at) => parts.every((other, place) => place === at || wordsOf(other, 6) < 6)),
  ]
}

function isLogin(page: ParsedPage, names: string[], words: number): boolean {
  if (words > fewWords.login) return false
  const fields = page.inputs.filter((input) => (attributeOf(input, 'type') ?? '').toLowerCase() === 'password')
  if (!fields.some((field) => !isAside(field))) return false
  if (names.some((name) => wordsOf(name, 13) <= 12 && signsIn.test(name))) return true
  return words <= fewWords.loginWithoutName && controlsOf(page).some((label) => signsIn.test(label))
}

/** Stands in the frame of a page or in something that opens later. */
function isAside(element: PageElement): boolean {
  for (let above = element.parent; above?.parent; above = above.parent) {
    if (above.name === 'header' || above.name === 'aside' || isDropped(above)) return true
    if (asideNames.test(`${attributeOf(above, 'class') ?? ''} ${attributeOf(above, 'id') ?? ''}`)) return true
  }
  return false
}

function controlsOf(page: ParsedPage): string[] {
  const labels = [...page.buttons, ...page.links]
    .filter((element) => lettersOf(element) <= 60)
    .map((element) => textOf(element))
  for (const input of page.inputs)
    if (attributeOf(input, 'type') === 'submit') labels.push(attributeOf(input, 'value') ?? '')
  return labels
}

/** Most of the page speaks of consent, and something in it gives it. */
function isConsent(page: ParsedPage, blocks: Block[], words: number): boolean {
  if (words > fewWords.consent) return false
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
  return controlsOf(page).some((label) => wordsOf(label, 9) <= 8 && accepts.test(label))
}

/** A page with a heading of its own says little, but says it. */
function isScript(page: ParsedPage, headings: string[], text: string, words: number): boolean {
  if (words > fewWords.script || page.scripts.length === 0) return false
  if (asksForScript.test(text)) return true
  if (headings.length > 0) return false
  if (page.noscripts.some((element) => asksForScript.test(textOf(element)))) return true
  return hasEmptyRoot(page.body) || scriptCharacters(page) > muchScript
}

/** An element in which a script is to put the page. */
function hasEmptyRoot(body: PageElement): boolean {
  for (const element of elementsIn(body)) {
    const isRoot = element.name === 'app-root' || rootNames.test(attributeOf(element, 'id') ?? '')
    if (isRoot && lettersOf(element) < 40) return true
  }
  return false
}

function scriptCharacters({ scripts }: ParsedPage): number {
  let sum = 0
  for (const script of scripts) sum += script.children.join('').length
  return sum
}
