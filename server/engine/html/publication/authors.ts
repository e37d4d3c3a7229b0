import { attributeOf, type PageElement } from '../dom/element'
import { cleanText, textOf } from '../dom/text'
import { isRecord } from '../is-record'

/** Names of meta elements. */
const metaNames =
  'article:author parsely-author sailthru.author dc.creator dcterms.creator citation_author author'.split(' ')
/** Types of structured data whose authors are those of the page. */
const articles = /(article|posting|webpage|report|review|recipe|howto|creativework|book|course|dataset|question)$/i
const bylineNames =
  /(?:^|[\s_-])(?:author|authors|byline|writer|autor|autoren|autorin|verfasser|auteur|autore|redakteur|reporter)(?:[\s_-]|$)/i
const introduction =
  /^(?:(?:written|posted|published|geschrieben|veröffentlicht|verfasst|escrito|publié|écrit|scritto|pubblicato|napisan[ey]|text|texte|words|story)\s*)?(?:by|von|por|par|di|door|av|af|przez|autor(?:in|en|a|es)?|author(?:s)?|auteur|autore|verfasser(?:in)?|redaktion|text|texte|ein(?:e)? .{0,30}\bvon)\s*:?\s+/iu
/** What may stand in a name and is no name. */
const particles = new Set(
  'de da do dos das del della di du des van von vom zu zur der den ter ten la le el al bin ibn y e und and & et i och og'.split(
    ' ',
  ),
)
const maxNameLength = 60
const maxNameWords = 6
const maxAuthors = 5
const maxDepth = 6

/** Where a page may name its authors. */
interface AuthoredPage {
  metas: ReadonlyMap<string, string>
  /** About the page. */
  described: unknown[]
  /** All of the page. */
  jsonLd: unknown[]
  byline: readonly PageElement[]
}

/**
 * Returns the names of a page's authors, separated by commas; '' without any: by its structured data, else by its byline,
 * else by its metadata.
 */
export function authorOf({ metas, described, jsonLd, byline }: AuthoredPage): string {
  const inData = namesIn(described, jsonLd)
  if (inData.length > 0) return joined(inData)
  return authorInByline(byline) ?? authorInMetas(metas) ?? ''
}

function joined(names: string[]): string {
  return [...new Set(names)].slice(0, maxAuthors).join(', ')
}

function namesIn(described: unknown[], jsonLd: unknown[]): string[] {
  const byId = new Map<string, Record<string, unknown>>()
  const names: string[] = []
  index(jsonLd, 0)
  walk(described, 0)
  return names

  function index(value: unknown, depth: number): void {
    if (depth > maxDepth) return
    if (Array.isArray(value)) for (const item of value) index(item, depth + 1)
    if (!isRecord(value)) return
    const id = value['@id']
    if (typeof id === 'string' && typeof value.name === 'string') byId.set(id, value)
    index(value['@graph'], depth + 1)
  }

  function walk(value: unknown, depth: number): void {
    if (depth > maxDepth) return
    if (Array.isArray(value)) for (const item of value) walk(item, depth + 1)
    if (!isRecord(value)) return
    if ([value['@type']].flat().some((type) => typeof type === 'string' && articles.test(type))) {
      for (const author of [value.author ?? value.creator].flat()) {
        const name = nameOf(author)
        if (name) names.push(name)
      }
    }
    for (const inner of ['@graph', 'mainEntity', 'mainEntityOfPage']) walk(value[inner], depth + 1)
  }

  function nameOf(author: unknown): string {
    if (typeof author === 'string') return nameIn(author) ?? ''
    if (!isRecord(author)) return ''
    const named = typeof author.name === 'string' ? author : byId.get(String(author['@id']))
    const name = [named?.name].flat()[0]
    return typeof name === 'string' ? (nameIn(name) ?? '') : ''
  }
}

function authorInByline(byline: readonly PageElement[]): string | null {
  for (const element of byline) {
    const text = textOf(element)
    if (text === '' || text.length > 3 * maxNameLength) continue
    const names = `${attributeOf(element, 'class') ?? ''} ${attributeOf(element, 'rel') ?? ''} ${attributeOf(element, 'itemprop') ?? ''}`
    const isNamed = bylineNames.test(names)
    if (!isNamed && !introduction.test(text)) continue
    const name = nameIn(text)
    if (name && (isNamed || looksLikeName(name))) return name
  }
  return null
}

function authorInMetas(metas: ReadonlyMap<string, string>): string | null {
  for (const key of metaNames) {
    const name = nameIn(metas.get(key) ?? '')
    if (name) return name
  }
  return null
}

/** Returns the name in a byline, without what stands around it; null without one. */
function nameIn(text: string): string | null {
  const [line = ''] = cleanText(text)
    .replace(introduction, '')
    .split(/\s*(?:[|·•—–/:;(]|\s-\s|\n|,\s*(?=\d|\p{Ll}))\s*|\s+(?:on|am|le|el|il|op|den|vom)\s+(?=\p{L}*\.?\s*\d)/u)
  const name = line.replace(/[,\s]+$/, '').replace(/^[,\s]+/, '')
  if (name.length < 2 || name.length > maxNameLength * 2 || /https?:|@|\d|[?!<>{}]/.test(name)) return null
  return /^\p{L}/u.test(name) && name.split(/\s+/).length <= maxNameWords * 2 ? name : null
}

/** Whether all words of a name start with a capital, but for particles. Scripts without capitals have none. */
function looksLikeName(name: string): boolean {
  const words = name.split(/[\s,]+/)
  if (words.length < 2 || words.length > maxNameWords) return false
  return words.every((word) => particles.has(word) || /^(?:\p{Lu}|\p{Lo})/u.test(word))
}
