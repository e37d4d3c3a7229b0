import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseHTML } from 'linkedom'
import { decodeHtml } from '../../../server/engine/charset/decode-html'
import { readPage } from '../../../server/engine/ingest/read-page'
import type { Tokenizer } from '../../../server/engine/ports/search-index'
import { folderOf, htmlFilesIn, manuals } from './manuals'

/** Letters at the start of a paragraph that are looked up; shorter paragraphs are not. */
const comparedLetters = 40
/** Paragraphs of a section that are looked up; one that is found is enough. */
const maxParagraphs = 5
/** Share of links from which on a paragraph leads to other pages. */
const maxLinkShare = 0.5
/** Lost sections that are named, of each manual. */
const maxNamed = 5

interface Section {
  heading: string
  /** The first letters of its paragraphs. */
  starts: string[]
}

/**
 * Prints how many sections with a heading have their text in no fragment, for every manual of Debian that was unpacked.
 * Sections are found by another parser, linkedom. Navigation, hidden elements and sections of links do not count.
 */
export function measureSections(packages: readonly string[], tokenizer: Tokenizer): void {
  console.log('manual                         pages  sections  lost')
  const all = { sections: 0, lost: 0 }
  for (const manual of manuals) {
    const root = folderOf(manual, packages)
    if (!root) {
      console.log(`${manual.padEnd(30)} left out: it is not there`)
      continue
    }
    const lost: string[] = []
    let pages = 0
    let sections = 0
    for (const path of htmlFilesIn(root)) {
      const body = readFileSync(join(root, path))
      const url = `http://manual.example/${manual}/${path}`
      const expected = sectionsOf(decodeHtml(body, 'text/html'))
      if (expected.length === 0) continue
      const { document, fragments } = readPage({ url, body, contentType: 'text/html', linkSite: null }, tokenizer)
      const isIndexed = document.forward === null && document.interstitial === null
      const text = isIndexed ? lettersOf(fragments.map((fragment) => fragment.text).join(' ')) : ''
      pages++
      sections += expected.length
      for (const { heading, starts } of expected)
        if (!starts.some((start) => text.includes(start))) lost.push(`${path}: ${heading}`)
    }
    all.sections += sections
    all.lost += lost.length
    console.log(`${manual.padEnd(30)} ${count(pages, 5)} ${count(sections, 9)} ${count(lost.length, 5)}`)
    for (const name of lost.slice(0, maxNamed)) console.log(`  ${name}`)
  }
  const share = (100 * all.lost) / Math.max(1, all.sections)
  console.log(`\n${all.lost} of ${all.sections} sections lost: ${share.toFixed(2)} %`)
}

const skipped = new Set('SCRIPT STYLE TEMPLATE NOSCRIPT NAV FOOTER HEADER ASIDE BUTTON SELECT TEXTAREA SVG'.split(' '))
const skippedRoles = new Set('navigation search banner contentinfo complementary'.split(' '))
const paragraphs = new Set('P LI DD TD PRE'.split(' '))

function sectionsOf(html: string): Section[] {
  const { document } = parseHTML(html)
  const found: Section[] = []
  let current: (Section & { holder: Node }) | null = null

  function end(): void {
    if (current && current.starts.length > 0) found.push(current)
    current = null
  }

  function walk(element: Element): void {
    if (isSkipped(element)) return
    if (/^H[1-6]$/.test(element.nodeName)) {
      end()
      current = { heading: (element.textContent ?? '').trim(), starts: [], holder: holderOf(element) }
      return
    }
    if (
      paragraphs.has(element.nodeName) &&
      element.querySelector('p, li, dd, td, pre, h1, h2, h3, h4, h5, h6') === null
    ) {
      const start = startOf(element)
      if (current && start && current.starts.length < maxParagraphs) current.starts.push(start)
    }
    for (const child of element.children) walk(child)
    if (current?.holder === element) end()
  }

  walk(document.body)
  end()
  return found
}

function startOf(paragraph: Element): string | null {
  const letters = lettersOf(textOf(paragraph))
  const linked = [...paragraph.querySelectorAll('a')].reduce(
    (sum, link) => sum + lettersOf(link.textContent ?? '').length,
    0,
  )
  return letters.length >= comparedLetters && linked < letters.length * maxLinkShare
    ? letters.slice(0, comparedLetters)
    : null
}

function textOf(node: Node): string {
  if (node.nodeType === 3) return node.textContent ?? ''
  if (node.nodeType !== 1 || isSkipped(node as Element)) return ''
  return [...node.childNodes].map(textOf).join('')
}

/** The nearest element around a heading with more text than the heading. */
function holderOf(heading: Element): Node {
  let node: Element = heading
  while (node.parentElement && (node.textContent ?? '').trim() === (heading.textContent ?? '').trim())
    node = node.parentElement
  return node
}

function isSkipped(element: Element): boolean {
  if (skipped.has(element.nodeName.toUpperCase()) || skippedRoles.has(element.getAttribute('role') ?? '')) return true
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true
  return /display:\s*none/.test(element.getAttribute('style') ?? '')
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]+/gu, '')
}

function count(number: number, width: number): string {
  return String(number).padStart(width)
}
