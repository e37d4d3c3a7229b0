import { parseUrl } from '../../../../contract/values/url'
import { attributeOf, isPageLink, type PageElement } from './element'

/** A place on the page. Scripts use '#' alone, and pages use '#top' below any text. */
const placeOnPage = /^\s*#(?!top\s*$|\s*$)/i
const contactTarget = /^\s*(?:tel|callto|mailto|sms):([^?;]*)/i
/** Characters of a contact; mail links can contain a complete letter. */
const maxContactLength = 120
/** Digits of a telephone number that are compared, so that its country code does not matter. */
const comparedDigits = 6

/** Whether an element is a link to another page, or a control of a script. */
export function leadsAway(element: PageElement): boolean {
  return isPageLink(element) && !placeOnPage.test(attributeOf(element, 'href') ?? '')
}

/** Replaces the addresses of links to places on the page by their fragments alone. `url` is the page's own address. */
export function shortenOwnLinks(links: readonly PageElement[], url: string): void {
  const own = namesOfPage(url)
  for (const { attributes } of links) {
    for (let index = 0; index < attributes.length; index += 2) {
      if (attributes[index] !== 'href') continue
      const href = attributes[index + 1] ?? ''
      const hash = href.indexOf('#')
      if (hash > 0 && own.some((name) => name.length === hash && href.startsWith(name)))
        attributes[index + 1] = href.slice(hash)
    }
  }
}

function namesOfPage(url: string): string[] {
  const parsed = parseUrl(url)
  if (parsed === null) return []
  const { href, hash, protocol, pathname, search } = parsed
  const absolute = href.slice(0, href.length - hash.length)
  const path = pathname + search
  const file = path.slice(path.lastIndexOf('/', pathname.length) + 1)
  return [absolute, absolute.slice(protocol.length), path, file].filter((name) => name !== '')
}

/** Returns the telephone number or the mail addresses that a link leads to; '' for any other link. */
export function contactOf(link: PageElement): string {
  const href = link.name === 'a' ? attributeOf(link, 'href') : null
  const [, target = ''] = href?.includes(':') ? (contactTarget.exec(href) ?? []) : []
  const contact = target.length > maxContactLength ? '' : unescaped(target).trim()
  return /@|\d{3}/.test(contact) ? contact : ''
}

/** Whether a text says a contact, in whatever way it is written. */
export function saysContact(text: string, contact: string): boolean {
  return contact.includes('@')
    ? text.toLowerCase().includes(contact.toLowerCase())
    : digitsOf(text).includes(digitsOf(contact).slice(-comparedDigits))
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
