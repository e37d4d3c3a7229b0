import { attributeOf, descendantsOf, lettersOf, type PageElement } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { cleanText, textOf } from '../dom/text'
import { isRecord } from '../is-record'
import { parseDate } from './page-dates'
import { longDates } from './publication-line'
import { dateIn } from './written-dates'

const threadTypes = /(?:^|\/)(?:DiscussionForumPosting|QAPage|Answer)\s*$/
const threadPaths = /\/(?:forums?|threads?|topics?|viewtopic|showthread|discussions?|questions?|t)(?:[/.?-]|$)/i
const authorNames = /(?:^|[\s_-])(?:author|creator|user(?:name)?|poster|nick(?:name)?|member(?:name)?)(?:[\s_-]|$)/i
/** Replies that make a thread, and at most as many as are read. */
const minReplies = 2
const maxReplies = 2_000
/** Letters of a reply, of an author's name, and of a line with a date. */
const minReplyLetters = 15
const maxNameLetters = 60
const maxDateLetters = 60
/** Descendants of a reply that are searched for its author and date, and elements of a page that are searched for replies. */
const maxDescendants = 80
const maxElements = 20_000

/**
 * Finds the replies of a page that is a thread, by its structured data or its URL. Each gets its author and date as heading.
 * Returns whether the page is one.
 */
export function markReplies(page: ParsedPage, jsonLd: unknown[], url: string, language: string): boolean {
  const { pathname, search } = new URL(url)
  const elements = descendantsOf(page.body).slice(0, maxElements)
  const isThread =
    threadPaths.test(pathname + search) ||
    declaresThread(jsonLd) ||
    elements.some((element) => threadTypes.test(attributeOf(element, 'itemtype') ?? ''))
  if (!isThread) return false
  const replies = repliesIn(elements, language)
  for (const { element, heading } of replies) element.replyHeading = heading
  return replies.length > 0
}

function declaresThread(value: unknown, depth = 0): boolean {
  if (depth > 4) return false
  if (Array.isArray(value)) return value.some((item) => declaresThread(item, depth + 1))
  if (!isRecord(value)) return false
  if ([value['@type']].flat().some((type) => typeof type === 'string' && threadTypes.test(type))) return true
  return [value['@graph'], value.mainEntity].some((inner) => declaresThread(inner, depth + 1))
}

interface Reply {
  element: PageElement
  heading: string
}

/** Returns the elements of one name and class beside each other of which each has an author and a date. */
function repliesIn(elements: PageElement[], language: string): Reply[] {
  const groups = new Map<PageElement, Map<string, PageElement[]>>()
  for (const element of elements) {
    if (!element.parent || lettersOf(element) < minReplyLetters) continue
    const [firstClass = ''] = (attributeOf(element, 'class') ?? '').trim().split(/\s+/)
    const bySignature = groups.get(element.parent) ?? new Map<string, PageElement[]>()
    groups.set(element.parent, bySignature)
    const signature = `${element.name} ${firstClass.replace(/\d+/g, '')}`
    const group = bySignature.get(signature)
    if (!group) bySignature.set(signature, [element])
    else if (group.length < maxReplies) group.push(element)
  }
  for (const bySignature of groups.values()) {
    for (const group of bySignature.values()) {
      if (group.length < minReplies) continue
      const replies = group.flatMap((element) => {
        const heading = replyHeadingOf(element, language)
        return heading === null ? [] : [{ element, heading }]
      })
      if (replies.length >= minReplies && replies.length * 2 > group.length) return replies
    }
  }
  return []
}

/** Returns who wrote a reply and when; null for an element that does not say both. */
function replyHeadingOf(element: PageElement, language: string): string | null {
  let author = ''
  let date: number | null = null
  for (const inner of firstDescendants(element)) {
    const letters = lettersOf(inner)
    if (author === '' && letters > 0 && letters <= maxNameLetters && isAuthor(inner)) author = nameOf(inner)
    if (date === null && inner.name === 'time') date = parseDate(attributeOf(inner, 'datetime') ?? '')
    if (date === null && letters > 0 && letters <= maxDateLetters) date = dateIn(textOf(inner), language)?.time ?? null
    if (author !== '' && date !== null) break
  }
  if (author === '' || date === null) return null
  return `${author}, ${longDates(language).format(date)}`
}

function firstDescendants(element: PageElement, found: PageElement[] = []): PageElement[] {
  for (const child of element.children) {
    if (found.length >= maxDescendants) break
    if (typeof child === 'string') continue
    found.push(child)
    firstDescendants(child, found)
  }
  return found
}

function isAuthor(element: PageElement): boolean {
  return ['class', 'itemprop', 'rel'].some((attribute) => authorNames.test(attributeOf(element, attribute) ?? ''))
}

/** The first link or phrase of an author's box is the name; what follows says how many posts there are. */
function nameOf(element: PageElement): string {
  const link = firstDescendants(element).find(({ name }) => name === 'a')
  return cleanText(textOf(link ?? element)).split('\n', 1)[0] ?? ''
}
