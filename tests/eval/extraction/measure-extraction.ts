import { join } from 'node:path'
import { measureCsv } from './csv'
import { type Half, halfOf } from './halves'
import { type Counts, countPieces, normalized, sharesOf, tokenShares } from './metrics'
import { measureOffice } from './office'
import { type ExpectedPage, type PiecesPage, readExpectedSet, readPiecesSet } from './page-sets'
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
