import { attributeOf, type PageElement } from './dom/element'
import type { ParsedPage } from './dom/parse'
import { lettersOnly, textOf } from './dom/text'
import { isRecord } from './is-record'
import { absoluteAddress, hasToken } from './links'
import { typesOf } from './structured-data/json-ld'
import { microdataBreadcrumbs } from './structured-data/microdata-breadcrumbs'

/** Where a page is. */
interface PageLocation {
  url: string
  /** The address against which links are resolved. */
  base: string
  title: string
}

interface Candidate {
  name: string
  /** Absolute; null if unknown. */
  address: string | null
}

/** Characters; a longer text is no name. */
const maxNameLength = 100
const breadcrumbName = /(?:^|[\s_-])breadcrumbs?(?:[\s_-]|$)/i
const upName = /^(?:up|nach oben|hoch|do góry|w górę|arriba|subir|niveau supérieur|↑|⇑)$/i
/** Text of links to the start of a site or a manual. */
export const homeName =
  /^(?:home(?: ?page)?|start(?:seite)?|index|(?:table of )?contents|main page|top|accueil|inicio|início|strona główna|hlavní stránka|hem|hjem|etusivu|главная|головна|ホーム|首页|홈)$/i
/** 'Chapter 43. ', '3.2 ', '§ 7 ' */
const numbering =
  /^(?:(?:chapter|part|section|appendix|kapitel|teil|abschnitt|anhang|rozdział|część|chapitre|partie|capítulo|parte|capitolo|hoofdstuk|kapitola)\s+[\p{L}\d.]{1,8}?|§?\s*\d+(?:\.\d+)*)[.:]?\s+(?=\S)/iu
const separators = /^[\s»«>‹›/|:·•→←–—-]+|[\s»«>‹›/|:·•→←–—-]+$/g

/**
 * Returns the name of the page above this one in the navigation of its site: of a link 'up', of the breadcrumb list in
 * structured data, or of the last breadcrumb before the page itself. '' if there is none, if it is the front page or the
 * start of the manual, or if the title says it already.
 */
export function parentNameOf(page: ParsedPage, jsonLd: unknown[], location: PageLocation): string {
  const home = page.linkElements.find((link) => hasToken(link, 'rel', 'home') || hasToken(link, 'rel', 'start'))
  const ignored = new Set([
    addressOf(home, location),
    ...['', location.url].map((path) => absoluteAddress(path, location.url)),
  ])
  const isParent = ({ name, address }: Candidate) =>
    name !== '' &&
    name.length <= maxNameLength &&
    !homeName.test(name) &&
    (address === null || (!ignored.has(address) && !isRoot(address))) &&
    !lettersOnly(location.title).includes(lettersOnly(name))
  const trails = [
    upLinksOf(page, location),
    listedTrailOf(jsonLd, location),
    microdataTrailOf(page, location),
    breadcrumbsOf(page, location),
  ]
  for (const trail of trails) {
    // The innermost one is the parent, and none of the others: the title of this one may be part of the page's.
    const innermost = trail.findLast(({ name, address }) => !isPageItself({ name, address }, location))
    if (innermost) return isParent(innermost) ? innermost.name : ''
  }
  return ''
}

function isPageItself({ name, address }: Candidate, { url, title }: PageLocation): boolean {
  return address === absoluteAddress(url, url) || (address === null && lettersOnly(title).startsWith(lettersOnly(name)))
}

/** Links that are marked or called 'up', named by their title or by another link to the same page. */
function upLinksOf(page: ParsedPage, location: PageLocation): Candidate[] {
  const marked = [...page.linkElements, ...page.links].filter((link) => hasToken(link, 'rel', 'up') || isUpLink(link))
  return marked.slice(0, 1).flatMap((link) => {
    const address = addressOf(link, location)
    const own = [attributeOf(link, 'title') ?? '', textOf(link)]
      .map(cleanName)
      .find((name) => name !== '' && !upName.test(name))
    const name = own ?? nameOfLinkTo(page, address, location)
    return name ? [{ name, address }] : []
  })
}

/** A picture is named by its access key. */
function isUpLink(link: PageElement): boolean {
  const text = textOf(link)
  return upName.test(text) || (text === '' && attributeOf(link, 'accesskey')?.toLowerCase() === 'u')
}

function nameOfLinkTo(page: ParsedPage, address: string | null, location: PageLocation): string | undefined {
  if (address === null) return undefined
  const links = page.links.filter((link) => addressOf(link, location) === address)
  return links.map((link) => cleanName(textOf(link))).find((name) => name !== '' && !upName.test(name))
}

/** The BreadcrumbList of JSON-LD, in the order of its positions. */
function listedTrailOf(jsonLd: unknown[], location: PageLocation): Candidate[] {
  const things = jsonLd.flatMap((value) => (isRecord(value) && '@graph' in value ? value['@graph'] : value)).flat()
  const list = things.find((thing) => isRecord(thing) && typesOf(thing).includes('breadcrumblist'))
  const items = isRecord(list) && Array.isArray(list.itemListElement) ? list.itemListElement.filter(isRecord) : []
  return items
    .toSorted((a, b) => Number(a.position) - Number(b.position))
    .map((item) => {
      const target = isRecord(item.item) ? item.item : item
      const reference = [target['@id'], target.url, item.item].find((value) => typeof value === 'string')
      const name = [item.name, target.name].find((value) => typeof value === 'string')
      return {
        name: cleanName(typeof name === 'string' ? name : ''),
        address: typeof reference === 'string' ? absoluteAddress(reference, location.base) : null,
      }
    })
}

/** The first BreadcrumbList of microdata. */
function microdataTrailOf({ breadcrumbLists: [list] }: ParsedPage, { base }: PageLocation): Candidate[] {
  const items = list ? microdataBreadcrumbs(list) : []
  return items.map(({ name, href }) => ({
    name: cleanName(name),
    address: href === null ? null : absoluteAddress(href, base),
  }))
}

/** The links of the first element that is called a breadcrumb. */
function breadcrumbsOf(page: ParsedPage, location: PageLocation): Candidate[] {
  const holders = new Map<PageElement, PageElement | null>()
  const trail = page.links
    .map((link) => ({ link, holder: breadcrumbHolderOf(link, holders) }))
    .filter(({ holder }) => holder)
  const links = trail.filter(({ holder }) => holder === trail[0]?.holder)
  return links.map(({ link }) => ({ name: cleanName(textOf(link)), address: addressOf(link, location) }))
}

function breadcrumbHolderOf(
  element: PageElement | null,
  known: Map<PageElement, PageElement | null>,
): PageElement | null {
  if (!element) return null
  const found = known.get(element)
  if (found !== undefined) return found
  const outer = breadcrumbHolderOf(element.parent, known)
  const holder = outer ?? (isBreadcrumb(element) ? element : null)
  known.set(element, holder)
  return holder
}

function isBreadcrumb(element: PageElement): boolean {
  return ['class', 'id', 'aria-label'].some((name) => breadcrumbName.test(attributeOf(element, name) ?? ''))
}

function addressOf(link: PageElement | undefined, { base }: PageLocation): string | null {
  const href = link ? attributeOf(link, 'href') : null
  return href === null ? null : absoluteAddress(href, base)
}

/** The front page, also of a site in several languages. */
function isRoot(address: string): boolean {
  return /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?(?:index\.[a-z.]{2,12})?$/i.test(new URL(address).pathname)
}

function cleanName(text: string): string {
  return text.replace(/\s+/g, ' ').replace(separators, '').replace(numbering, '').trim()
}
