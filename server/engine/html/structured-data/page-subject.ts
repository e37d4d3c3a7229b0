import { canonicalQuery } from '../../crawl/urls/query-parameters'
import { lettersOnly } from '../dom/text'
import { isRecord } from '../is-record'

/** What tells the subject of a page: its addresses, and texts that name it, such as its title. */
export interface PageSubject {
  /** Addresses of the page: after redirects, and its canonical one. */
  addresses: readonly (string | null)[]
  /** Title, headings or all text. */
  text: string
}

/** Letters and digits from which on a name is specific enough to be found in a text. */
const minNameLength = 3

/**
 * Whether a thing in JSON-LD is what the page is about: 'page' if it has an address of the page or a name that the page's
 * texts contain, 'other' if it only has another address, null if it says neither.
 */
export function subjectOf(thing: Record<string, unknown>, page: PageSubject): 'page' | 'other' | null {
  const own = new Set(page.addresses.flatMap((address) => addressKey(address)))
  const declared = [thing.url, thing['@id'], thing.mainEntityOfPage].flatMap(addressesIn)
  if (declared.some((address) => own.has(address))) return 'page'
  if ([thing.name, thing.headline].some((name) => isNamed(name, page.text))) return 'page'
  return declared.length > 0 ? 'other' : null
}

/** Removes the things about other pages from JSON-LD, at its top and in its graphs. */
export function withoutOtherPages(jsonLd: readonly unknown[], page: PageSubject): unknown[] {
  return jsonLd.flatMap((value) => {
    if (Array.isArray(value)) return value.filter((thing) => !isAboutOther(thing, page))
    if (!isRecord(value) || !Array.isArray(value['@graph'])) return isAboutOther(value, page) ? [] : [value]
    return [{ ...value, '@graph': value['@graph'].filter((thing) => !isAboutOther(thing, page)) }]
  })
}

function isAboutOther(thing: unknown, page: PageSubject): boolean {
  return isRecord(thing) && subjectOf(thing, page) === 'other'
}

function isNamed(name: unknown, text: string): boolean {
  const key = typeof name === 'string' ? lettersOnly(name) : ''
  return key.length >= minNameLength && lettersOnly(text).includes(key)
}

/** Addresses of a property. A fragment alone ('#product') says nothing. */
function addressesIn(value: unknown): string[] {
  if (isRecord(value)) return addressesIn(value['@id'] ?? value.url)
  return typeof value === 'string' && /^(?:https?:)?\/\//i.test(value) ? addressKey(value) : []
}

/**
 * Sites name one page with and without scheme, www, closing slash, and parameters. Below the front page, parameters may
 * tell all pages apart ('/?p=12').
 */
function addressKey(address: string | null): string[] {
  if (address === null) return []
  const [, site = '', query = ''] = /^(?:(?:https?:)?\/\/)?(?:www\.)?([^?#]*)(?:\?([^#]*))?/i.exec(address) ?? []
  const name = site.replace(/\/+$/, '').toLowerCase()
  const kept = name.includes('/') ? '' : canonicalQuery(query).toLowerCase()
  return [kept === '' ? name : `${name}?${kept}`]
}
