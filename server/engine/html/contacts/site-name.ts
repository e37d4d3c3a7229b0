import { attributeOf } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { cleanText } from '../dom/text'
import { isRecord } from '../structured-data/is-record'
import { typesOf } from '../structured-data/json-ld'

const maxNameLength = 80
/** Letters of a host's name that are enough to recognize it in a title. */
const minHostLetters = 4

/**
 * Returns the name of the site: as its metadata or its structured data says, else the part of the title that its host is
 * named after, else the host.
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
  return name ?? namedAfterHost(title, host) ?? host
}

function metaOf({ metas }: ParsedPage, name: string): string {
  const meta = metas.find(
    (meta) => (attributeOf(meta, 'property') ?? attributeOf(meta, 'name'))?.toLowerCase() === name,
  )
  return meta ? cleanText(attributeOf(meta, 'content') ?? '') : ''
}

function nameIn(jsonLd: unknown[], type: string): string {
  const things = jsonLd.flatMap((value) => (isRecord(value) && '@graph' in value ? value['@graph'] : value)).flat()
  const thing = things.find((thing) => isRecord(thing) && typesOf(thing).some((one) => one.endsWith(type)))
  return isRecord(thing) && typeof thing.name === 'string' ? cleanText(thing.name).replaceAll('\n', ' ') : ''
}

function namedAfterHost(title: string, host: string): string | undefined {
  const hostLetters = lettersOnly(host)
  return title.split(/\s+[-–—|·•:»]+\s+/).find((part) => {
    const letters = lettersOnly(part)
    return letters.length >= minHostLetters && part.length <= maxNameLength && hostLetters.includes(letters)
  })
}

function lettersOnly(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
