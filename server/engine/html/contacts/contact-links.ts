import { hint } from '../content/names/class-name-hints'
import { hintsOf } from '../content/names/class-names'
import { attributeOf, type PageElement } from '../dom/element'
import { textOf } from '../dom/text'
import { comparedDigits, digitsOf, mailAddressesIn } from './contact-patterns'

/** The telephone number or e-mail address of a link. */
export interface ContactLink {
  kind: 'telephone' | 'mail'
  value: string
  /** What the link says, such as 'Customer service', if that is not the number or the address itself. */
  label: string
  /** Identifies the number or the address, however it is written. */
  key: string
}

/** Links read on one page; more are a directory. */
const maxLinks = 40
const maxLabelLength = 60
const telephoneDigits = { min: 3, max: 15 }

/** Returns the tel: and mailto: links of a page, except those of comments, each target once. */
export function contactLinksOf(links: readonly PageElement[]): ContactLink[] {
  const found = new Map<string, ContactLink>()
  for (const link of links) {
    if (found.size >= maxLinks) break
    const contact = contactOf(link)
    if (!contact || isInComments(link)) continue
    const { isReadable, ...own } = contact
    // The icon of a menu often comes before the readable number.
    if (!found.has(own.key) || isReadable) found.set(own.key, { ...own, label: found.get(own.key)?.label || own.label })
  }
  return [...found.values()]
}

function contactOf(link: PageElement): (ContactLink & { isReadable: boolean }) | null {
  const href = (attributeOf(link, 'href') ?? '').trim()
  const scheme = /^(tel|callto|mailto):(?:\/\/)?/i.exec(href)
  if (!scheme) return null
  const target = decode(href.slice(scheme[0].length).replace(/[?;].*$/s, '')).trim()
  const text = textOf(link)
  if (scheme[1]?.toLowerCase() === 'mailto') {
    const [address] = mailAddressesIn(target)
    if (!address) return null
    return { kind: 'mail', value: address, label: labelOf(text, text.includes('@')), key: address, isReadable: false }
  }
  const digits = digitsOf(target)
  if (digits.length < telephoneDigits.min || digits.length > telephoneDigits.max) return null
  const written = /[+(\d][\d\s\u00a0()./-]*\d/.exec(text)?.[0] ?? ''
  const key = digits.slice(-comparedDigits)
  const isShown = written !== '' && digitsOf(written).slice(-comparedDigits).endsWith(key)
  const value = (isShown ? written : target).replace(/\s+/g, ' ')
  return { kind: 'telephone', value, label: labelOf(text, isShown), key, isReadable: isShown }
}

/** An icon or an address is no label. */
function labelOf(text: string, isShown: boolean): string {
  return isShown || text.length > maxLabelLength || !/\p{L}{2}/u.test(text) ? '' : text.replace(/[\s:：]+$/, '')
}

function isInComments(element: PageElement): boolean {
  for (let node: PageElement | null = element; node; node = node.parent) if (hintsOf(node) & hint.comments) return true
  return false
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
