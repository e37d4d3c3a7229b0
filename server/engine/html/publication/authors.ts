import { attributeOf, descendantsOf, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import { cleanText, textOf } from '../dom/text'
import { isRecord } from '../is-record'

/** Names of meta elements. */
const metaNames =
  'article:author parsely-author sailthru.author dc.creator dcterms.creator citation_author author'.split(' ')
/** Types of structured data whose authors are those of the page. */
const articles = /(article|posting|webpage|report|review|recipe|howto|creativework|book|course|dataset|question)$/i
const bylineNames = /author(?!i)|byline/i
/** Names that other things have, too, such as a program that is called Writer. */
const otherBylineNames =
  /(?:^|[\s_-])(?:writer|[Aa]utor\w*|verfasser|auteur|autore|redakteur|reporter)(?:[\s_-]|$)|_autor/
const by = 'by|von|vom|por|par|di|door|av|af|przez|автор'
const done =
  'posted|published|written|geschrieben|veröffentlicht|verfasst|escrito|publicado|écrit|publié|rédigé|scritto|pubblicato|geschreven|geplaatst|napisał|napisała|skrivet'
const roles =
  'autor(?:in|en|a|es|zy)?|authors?|auteurs?|autore|autori|verfasser(?:in)?|redaktion|texte?|words|writer|skribent|tekst'
/** What stands before a name at the start of a line: 'By', 'Posted by', 'Text:'. */
const introduction = new RegExp(
  `^(?:(?:(?:${done})\\s+)?(?:${by})\\s*:?\\s+|(?:\\p{L}+ )?(?:${roles})(?:\\s*(?:&|\\+|,|und|and|et|y|e|en|i)\\s*\\p{L}+)?\\s*:\\s+)`,
  'iu',
)
/** After these words, a name of one word is the name of an account. */
const isWrittenBy = new RegExp(`^(?:${done})\\s+(?:${by})\\s`, 'iu')
/** The same after something else in one line: after a date, or what was done. */
const beforeName = new RegExp(
  `^.{0,60}?(?<!\\p{L})(?:(?:(?<=(?:(?:19|20)\\d\\d|\\d:\\d\\d|${done}).{0,25})(?:${by})\\s+)|(?:[Aa]utor(?:in|en|es)?|[Aa]uthors?|[Aa]uteur|[Aa]utore|[Tt]ext)\\s*:\\s*)(?=\\p{Lu})`,
  'u',
)
const afterName =
  /\s*(?:[|·•—–/:;(,]|\s-\s|\n)\s*(?!\s*(?:Jr|Sr|Ph))|\s+(?=\d)|\s+(?:on|am|le|el|il|op|den|vom|in|at|for|für|\p{L}+\s+by)\s+/u
/** Labels and account names, which are not names of people. */
const labels =
  /^(?:by|von|por|par|di|admin|author|autor|autorin|redaktion|posted(?: on)?|published(?: on)?|veröffentlicht(?: am)?|about.*|über.*|share|interview|text|updated?|agencies|agenturen|staff|no author|unknown)$/iu
/** Lowercase words that are part of names. */
const particles = new Set(
  'de da do dos das del della di du des van von vom zu zur der den ter ten la le el al bin ibn y e und and & et i och og'.split(
    ' ',
  ),
)
const maxNameLength = 60
const maxNameWords = 6
const maxAuthors = 5
const maxDepth = 6
/** Marked elements that are compared. */
const maxMarked = 20

/** Where a page may name its authors. */
interface AuthoredPage {
  body: PageElement
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
export function authorOf({ body, metas, described, jsonLd, byline }: AuthoredPage): string {
  const { people, organizations } = namesIn(described, jsonLd)
  if (people.length > 0) return joined(people)
  return (
    authorInByline(byline) ??
    markedAuthor(body) ??
    (organizations.length > 0 ? joined(organizations) : authorInMetas(metas)) ??
    ''
  )
}

function joined(names: string[]): string {
  return [...new Set(names)].slice(0, maxAuthors).join(', ')
}

function namesIn(described: unknown[], jsonLd: unknown[]): { people: string[]; organizations: string[] } {
  const byId = new Map<string, Record<string, unknown>>()
  const people: string[] = []
  const organizations: string[] = []
  index(jsonLd, 0)
  walk(described, 0)
  return { people, organizations }

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
      for (const author of [value.author ?? value.creator].flat()) addName(author)
    }
    for (const inner of ['@graph', 'mainEntity', 'mainEntityOfPage']) walk(value[inner], depth + 1)
  }

  function addName(author: unknown): void {
    const thing = isRecord(author) ? (typeof author.name === 'string' ? author : byId.get(String(author['@id']))) : null
    const text = thing ? thing.name : author
    const name = typeof text === 'string' ? nameIn(text) : null
    if (name === null) return
    const isOrganization = [thing?.['@type']]
      .flat()
      .some((type) => typeof type === 'string' && /organi[sz]ation/i.test(type))
    if (isOrganization) organizations.push(name)
    else people.push(name)
  }
}

function authorInByline(byline: readonly PageElement[]): string | null {
  for (const element of byline) {
    const text = textOf(element)
    if (text === '' || text.length > 3 * maxNameLength || element.categories & category.heading) continue
    const isNamed = isNamedForAuthor(element, bylineNames)
    if (!isNamed && !isNamedForAuthor(element, otherBylineNames) && !introduction.test(text) && !beforeName.test(text))
      continue
    const name = nameIn(text)
    if (name && (isNamed || looksLikeName(name) || (isWrittenBy.test(text) && !/\s/.test(name)))) return name
  }
  return null
}

function isNamedForAuthor(element: PageElement, names: RegExp): boolean {
  return ['class', 'rel', 'itemprop'].some((attribute) => names.test(attributeOf(element, attribute) ?? ''))
}

/** Returns the one name that the page marks as its author's, wherever it stands; null for none or several. */
function markedAuthor(body: PageElement): string | null {
  const marked = descendantsOf(body).filter((element) =>
    /(?:^|\s)author(?:\s|$)/.test(`${attributeOf(element, 'rel') ?? ''} ${attributeOf(element, 'itemprop') ?? ''}`),
  )
  const names = new Set(
    marked.slice(0, maxMarked).map((element) => nameIn(textOf(element).slice(0, 3 * maxNameLength))),
  )
  names.delete(null)
  const [name = null] = names
  return names.size === 1 ? name : null
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
  const byline = cleanText(text)
  if (/https?:|www\./.test(byline)) return null
  const rest = introduction.test(byline) ? byline.replace(introduction, '') : byline.replace(beforeName, '')
  const [name = ''] = rest.split(afterName)
  if (name.length < 2 || name.length > maxNameLength || /[@\d?!<>{}]|\p{Ll}{4}\p{Lu}/u.test(name) || labels.test(name))
    return null
  return /^\p{L}/u.test(name) && name.split(/\s+/).length <= maxNameWords ? name.replace(/[,\s]+$/, '') : null
}

/** Whether all words of a name start with a capital, but for particles. Scripts without capitals have none. */
function looksLikeName(name: string): boolean {
  const words = name.split(/[\s,]+/)
  if (words.length < 2 || words.length > maxNameWords || /\p{L}{3}\.$/u.test(name)) return false
  return words.every((word) => particles.has(word) || /^(?:\p{Lu}|\p{Lo})/u.test(word))
}
