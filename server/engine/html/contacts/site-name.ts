import { attributeOf, descendantsOf, type PageElement } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { cleanText, lettersOnly, textOf } from '../dom/text'
import { isRecord } from '../is-record'
import { homeName } from '../parent-page'
import { typesOf } from '../structured-data/json-ld'

const maxNameLength = 80
/** Letters of a host's name that are enough to recognize it in a title. */
const minHostLetters = 4
const titleSeparator = /\s+[-–—|·•:»]+\s+/
/** The front page of a host, or of one of its languages. */
const frontPage = /^(?:(?:https?:)?\/\/([^/]+))?(?:\.?\/)?(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?)?(?:index\.\w{3,5})?$/i

/**
 * Returns the name of the site: as its metadata or its structured data says, else the part of the title that its host is
 * named after, else the part of the title that a link to the front page shows, such as a logo; '' if unknown.
 */
export function siteNameOf(page: ParsedPage, url: string, title: string, jsonLd: unknown[]): string {
  const host = new URL(url).hostname.replace(/^www\./, '')
  const names = [
    metaOf(page, 'og:site_name'),
    nameIn(jsonLd, 'website'),
    nameIn(jsonLd, 'organization'),
    metaOf(page, 'application-name'),
  ]
  const name = names.find((name) => name !== '' && name.length <= maxNameLength)
  return name ?? namedAfterHost(title, host) ?? namedByLogo(page, url, title) ?? ''
}

/**
 * Returns the only part of a title that neither repeats the heading of the page nor says that this is the front page; ''
 * if there is none. On a site that does not name itself, that is its name.
 */
export function partBeside(heading: string, title: string): string {
  const others = title
    .split(titleSeparator)
    .filter((part) => lettersOnly(part) !== lettersOnly(heading) && !homeName.test(part.trim()))
  const [name = ''] = others
  return others.length === 1 && name !== title && name.length <= maxNameLength ? name : ''
}

function metaOf({ metas }: ParsedPage, name: string): string {
  const meta = metas.find(
    (meta) => (attributeOf(meta, 'property') ?? attributeOf(meta, 'name'))?.toLowerCase() === name,
  )
  return meta ? cleanText(attributeOf(meta, 'content') ?? '') : ''
}

function nameIn(jsonLd: unknown[], type: string): string {
  const things = jsonLd.flatMap((value) => (isRecord(value) && '@graph' in value ? value['@graph'] : value)).flat()
  const thing = things.find((thing) => isRecord(thing) && typesOf(thing).some((text) => text.endsWith(type)))
  return isRecord(thing) && typeof thing.name === 'string' ? cleanText(thing.name).replaceAll('\n', ' ') : ''
}

function namedAfterHost(title: string, host: string): string | undefined {
  const hostLetters = lettersOnly(host)
  return title.split(titleSeparator).find((part) => {
    const letters = lettersOnly(part)
    return letters.length >= minHostLetters && part.length <= maxNameLength && hostLetters.includes(letters)
  })
}

function namedByLogo({ links }: ParsedPage, url: string, title: string): string | undefined {
  const parts = title
    .split(titleSeparator)
    .filter((part) => part.length <= maxNameLength && !homeName.test(part.trim()))
  if (parts.length === 0) return undefined
  const logos = links.filter((link) => leadsToFront(link, new URL(url).host)).map((link) => lettersOnly(labelOf(link)))
  return parts.findLast((part) => lettersOnly(part) !== '' && logos.includes(lettersOnly(part)))
}

function leadsToFront(link: PageElement, host: string): boolean {
  const [href, linkedHost = host] = frontPage.exec(attributeOf(link, 'href')?.trim() ?? '') ?? []
  return href !== undefined && href !== '' && linkedHost === host
}

/** Its text, or that of its image. */
function labelOf(link: PageElement): string {
  const image = descendantsOf(link).find(({ name }) => name === 'img')
  return textOf(link) || (image ? (attributeOf(image, 'alt') ?? '') : '')
}
