import { decodeHTML } from 'entities'
import type { ManualHit, ManualPage } from '../../engine/ports/manual-pages'

interface Section {
  page: Pick<ManualPage, 'name' | 'title'>
  /** Null for the text before the first heading of a page. */
  id: string | null
  title: string
  text: string
}

const maxHits = 20
const excerptLength = 180

/** Searches the sections of the pages for all words of a query, also as parts of words. Titles count most. */
export function createManualSearch(pages: ManualPage[]): (query: string) => ManualHit[] {
  const sections = pages.flatMap(sectionsOf)
  return (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 12)
    if (words.length === 0) return []
    return sections
      .map((section) => ({ section, score: scoreOf(section, words) }))
      .filter(({ score }) => score > 0)
      .sort((first, second) => second.score - first.score)
      .slice(0, maxHits)
      .map(({ section: { page, id, title, text } }) => ({
        page: page.name,
        section: id,
        title: id === null ? page.title : `${page.title}: ${title}`,
        excerpt: excerptOf(text, words),
      }))
  }
}

function sectionsOf(page: ManualPage): Section[] {
  return page.html.split(/(?=<h[23] id=")/).map((html) => {
    const heading = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/.exec(html)
    const title = heading ? textOf(heading[2] ?? '') : page.title
    const body = html.replace(/^<h[1-3] [^>]*>.*?<\/h[1-3]>/, '')
    return { page, id: heading?.[1] ?? null, title, text: textOf(body) }
  })
}

function textOf(html: string): string {
  return decodeHTML(html.replaceAll(/<[^>]+>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** 0 if a word is missing. */
function scoreOf({ page, title, text }: Section, words: string[]): number {
  const heading = `${page.title} ${title}`.toLowerCase()
  const body = text.toLowerCase()
  let score = 0
  for (const word of words) {
    const inHeading = heading.includes(word)
    const count = body.split(word).length - 1
    if (!inHeading && count === 0) return 0
    score += (inHeading ? 10 : 0) + Math.min(count, 5)
  }
  return score
}

/** The text around the first word that occurs in it, cut between words. */
function excerptOf(text: string, words: string[]): string {
  const lower = text.toLowerCase()
  const position = Math.min(...words.map((word) => lower.indexOf(word)).filter((index) => index >= 0), text.length)
  const start = position === text.length ? 0 : Math.max(0, position - 60)
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const cut = text.slice(from, from + excerptLength)
  const whole = from + excerptLength >= text.length ? cut : cut.slice(0, Math.max(cut.lastIndexOf(' '), 1))
  return `${from > 0 ? '… ' : ''}${whole}${from + excerptLength < text.length ? ' …' : ''}`
}
