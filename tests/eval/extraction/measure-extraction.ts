import { join } from 'node:path'
import { measureCsv } from './csv'
import { type Half, halfOf } from './halves'
import { type Counts, countPieces, normalized, sharesOf, tokenShares } from './metrics'
import { measureOffice } from './office'
import { type ExpectedPage, type PiecesPage, type PublicationFacts, readExpectedSet, readPiecesSet } from './page-sets'
import { measurePdf } from './pdf'
import { instantOf, ours, type Reader, type Reading, readabilityAlone, visibleText } from './readers'

const readers = [ours, readabilityAlone]
const halves: (Half | 'all')[] = ['dev', 'held out', 'all']

const parts: Record<string, (root: string) => void | Promise<void>> = {
  pages: measurePages,
  csv: measureCsv,
  office: measureOffice,
  pdf: measurePdf,
}

/** Prints how well text is found in the sets below `root`: in all of them, or in those of the named parts. */
export async function measureExtraction(root: string, names: string[]): Promise<void> {
  for (const name of names.length > 0 ? names : Object.keys(parts)) {
    const part = parts[name]
    if (part) await part(root)
    else console.log(`Nothing is measured by the name of ${name}; ${Object.keys(parts).join(', ')} are.`)
  }
}

/** Beside Readability alone. */
function measurePages(root: string): void {
  measureSet(root, 'trafilatura-eval', readPiecesSet, printPieces)
  measureSet(root, 'trafilatura-eval', readPiecesSet, printFacts)
  measureSet(root, 'readability-pages', readExpectedSet, printExpected)
}

function measureSet<Page>(
  root: string,
  name: string,
  read: (folder: string) => Page[] | null,
  print: (name: string, pages: Page[]) => void,
): void {
  const pages = read(join(root, name))
  if (pages) print(name, pages)
  else console.log(`${name}: left out, for it is not in ${root}.`)
}

function printPieces(name: string, pages: PiecesPage[]): void {
  console.log(`\n${name}: ${pages.length} pages; pieces that have to be found and pieces that must not be`)
  console.log('reader        half       precision  recall  F1     not read')
  for (const reader of readers) {
    const judged = pages.map((page) => {
      const reading = attempt(reader, page.read(), page.url)
      return { half: halfOf(page.name), reading, counts: countPieces(reading?.text ?? null, page.pieces) }
    })
    for (const half of halves) {
      const batch = judged.filter((page) => half === 'all' || page.half === half)
      const { precision, recall, f1 } = sharesOf(batch.map(({ counts }): Counts => counts))
      const broken = batch.filter(({ reading }) => reading === null).length
      console.log(
        `${reader.name.padEnd(13)} ${half.padEnd(10)} ${fixed(precision)}       ${fixed(recall)}    ${fixed(f1)}   ${broken}`,
      )
    }
  }
}

/** Titles, authors and dates, where people noted them. */
function printFacts(name: string, pages: PiecesPage[]): void {
  console.log(`\n${name}: titles, days of publication and authors, of the pages that name them`)
  console.log('reader        half       title  date found  date wrong  author found  author wrong')
  for (const reader of readers) {
    const judged = pages.map(({ name: file, url, facts, read }) => {
      const reading = attempt(reader, read(), url)
      return { half: halfOf(file), facts, reading }
    })
    for (const half of halves) {
      const batch = judged.filter((page) => half === 'all' || page.half === half)
      const shareOf = (fact: keyof PublicationFacts, holds: (expected: string, reading: Reading | null) => boolean) => {
        const said = batch.filter(({ facts }) => facts[fact])
        return fixed(said.filter(({ facts, reading }) => holds(facts[fact] ?? '', reading)).length / said.length)
      }
      console.log(
        [
          `${reader.name.padEnd(13)} ${half.padEnd(10)}`,
          shareOf('title', (title, reading) => normalized(title) === normalized(reading?.title ?? '')),
          shareOf('date', (day, reading) => isSameDay(day, reading) === true).padEnd(10),
          shareOf('date', (day, reading) => isSameDay(day, reading) === false).padEnd(10),
          shareOf('author', (author, reading) => isSameName(author, reading) === true).padEnd(12),
          shareOf('author', (author, reading) => isSameName(author, reading) === false),
        ].join('  '),
      )
    }
  }
}

const dayMs = 24 * 3600 * 1000

/** Null where the reader found none. The zone of the page may make it the day before or after. */
function isSameDay(day: string, reading: Reading | null): boolean | null {
  const noted = instantOf(day)
  const found = reading?.publishedAt ?? null
  if (found === null || noted === null) return null
  return Math.abs(Math.floor(found / dayMs) - Math.floor(noted / dayMs)) <= 1
}

/** Whether one has all words of the other; null where the reader found none. */
function isSameName(author: string, reading: Reading | null): boolean | null {
  const noted = wordsOf(author)
  const found = wordsOf(reading?.author ?? '')
  if (found.length === 0) return null
  return noted.every((word) => found.includes(word)) || found.every((word) => noted.includes(word))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function printExpected(name: string, pages: ExpectedPage[]): void {
  console.log(`\n${name}: ${pages.length} pages; words of the expected content, and facts as they are expected`)
  console.log('reader        half       precision  recall  F1     title  excerpt  language  published')
  const expected = pages.map((page) => visibleText(page.expected()))
  for (const reader of readers) {
    const judged = pages.map((page, index) => {
      const reading = attempt(reader, page.read(), 'http://site.example/page')
      return {
        half: halfOf(page.name),
        shares: tokenShares(reading?.text ?? '', expected[index] ?? ''),
        agrees: agreement(page.facts, reading),
      }
    })
    for (const half of halves) {
      const batch = judged.filter((page) => half === 'all' || page.half === half)
      const mean = (of: (page: (typeof batch)[number]) => number) =>
        fixed(batch.reduce((sum, page) => sum + of(page), 0) / Math.max(1, batch.length))
      const share = (fact: keyof Agreement) => {
        const said = batch.flatMap(({ agrees }) => agrees[fact] ?? [])
        return fixed(said.filter(Boolean).length / Math.max(1, said.length))
      }
      console.log(
        `${reader.name.padEnd(13)} ${half.padEnd(10)} ${mean(({ shares }) => shares.precision)}       ${mean(({ shares }) => shares.recall)}    ${mean(({ shares }) => shares.f1)}   ${share('title')}   ${share('excerpt')}     ${share('language')}      ${share('published')}`,
      )
    }
  }
}

type Agreement = Record<'title' | 'excerpt' | 'language' | 'published', boolean | null>

/** Null where nothing is expected. */
function agreement({ title, excerpt, lang, publishedTime }: ExpectedPage['facts'], reading: Reading | null): Agreement {
  const published = instantOf(publishedTime)
  return {
    title: title ? normalized(title) === normalized(reading?.title ?? '') : null,
    excerpt: excerpt ? normalized(excerpt) === normalized(reading?.description ?? '') : null,
    language: lang ? lang.toLowerCase().replaceAll('_', '-') === reading?.language : null,
    published: published === null ? null : published === reading?.publishedAt,
  }
}

/** Null when the reader breaks. */
function attempt(reader: Reader, body: Uint8Array, url: string): Reading | null {
  try {
    return reader.read(body, url)
  } catch {
    return null
  }
}

function fixed(share: number): string {
  return share.toFixed(3).replace(/^0/, '')
}
