import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chunkDocument } from '../../../server/engine/chunking/chunk'
import { createRepetitionCount } from '../../../server/engine/chunking/count-repeated-blocks'
import { headingSeparator } from '../../../server/engine/chunking/embedding-text'
import { chunkWithoutBoilerplate, hashesIn, unpackBlocks } from '../../../server/engine/chunking/page-blocks'
import { blocksOf } from '../../../server/engine/documents/text/paragraph'
import { readPage } from '../../../server/engine/ingest/read-page'
import type { Block, Fragment } from '../../../server/engine/ports/extractor'
import type { Tokenizer } from '../../../server/engine/ports/search-index'
import type { IndexedFragment } from '../../../server/engine/search/hybrid-search'
import { indexTerms } from '../names'
import { type CorpusPlace, type Question, readCorpus, readSiteQuestions, type SitePlace } from './sets'

/** As the product loads it. */
export type EvalFragment = IndexedFragment

export interface EvalSet {
  pages: number
  fragments: EvalFragment[]
  questions: Question[]
}

export interface SetFolders {
  /** Where the sets are. */
  root: string
  /** Where packages of Debian were unpacked; the folder of the system where they are installed. */
  packages: string[]
}

/** The fragments of a set, cut as the product cuts pages. Says in plain words where the set is not there. */
export function readSet(place: CorpusPlace | SitePlace, folders: SetFolders, tokenizer: Tokenizer): EvalSet | string {
  return place.kind === 'corpus' ? readCorpusSet(place, folders, tokenizer) : readSiteSet(place, folders, tokenizer)
}

function readCorpusSet(place: CorpusPlace, { root }: SetFolders, tokenizer: Tokenizer): EvalSet | string {
  const corpus = readCorpus(root, place)
  if (!corpus) return `it is not in ${root}`
  const { language, holds } = place
  const cut = corpus.pages.map(({ id, title, text }) => {
    const blocks = holds === 'code' ? codeOf(text) : proseOf(text)
    return { id, fragments: chunkDocument({ title, language, blocks }, tokenizer) }
  })
  return { pages: cut.length, fragments: numbered(cut), questions: corpus.questions }
}

/** The fragments of pages of prose, cut as the product cuts text files. */
export function proseFragments(pages: { id: string; title: string; text: string }[], tokenizer: Tokenizer) {
  const cut = pages.map(({ id, title, text }) => {
    return { id, fragments: chunkDocument({ title, language: 'en', blocks: proseOf(text) }, tokenizer) }
  })
  return numbered(cut)
}

/** As a page shows it in one element. */
function codeOf(text: string): Block[] {
  return [{ kind: 'code', text, anchor: null }]
}

/** As the reader of text files takes it. */
function proseOf(text: string): Block[] {
  return text.split(/\n{2,}/).flatMap((paragraph) => blocksOf(paragraph.split('\n')))
}

/** Pages are read twice, as by two runs of a crawl: boilerplate is detected only when all pages are known. */
function readSiteSet(place: SitePlace, { root, packages }: SetFolders, tokenizer: Tokenizer): EvalSet | string {
  const folder = packages.map((text) => join(text, place.folder)).find((text) => existsSync(text))
  if (!folder) return `the pages of ${place.package} are not in ${packages.join(' or ')}`
  const questions = place.questions === null ? indexTerms(folder) : readSiteQuestions(root, place.questions)
  if (!questions) return `its questions are not in ${root}`
  const pages = pagesOf(place, folder, tokenizer)
  const counted = createRepetitionCount()
  const hashed = pages.map(({ id, kept }) => ({ id, rank: rankOf(id), ...hashesIn(kept.hashes) }))
  for (const page of hashed) counted.sketch(page)
  for (const page of hashed) counted.count(page)
  const { repeated, around } = counted.result()
  const owners = [...repeated, ...around]
  const home = hashed.reduce((first, page) => (page.rank < first ? page.rank : first), '~')
  const cut = pages.map(({ id, kept }) => {
    const own = new Set(owners.flatMap(([hash, owner]) => (owner === id ? hash : [])))
    const boilerplate = { repeated: new Set(repeated.keys()), retained: own, isEntryPage: rankOf(id) === home }
    return { id, fragments: chunkWithoutBoilerplate(unpackBlocks(kept.blocks), boilerplate, tokenizer) }
  })
  return { pages: pages.length, fragments: numbered(cut), questions }
}

function pagesOf({ leftOut }: SitePlace, folder: string, tokenizer: Tokenizer) {
  const seen = new Set<string>()
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html') && !leftOut.test(path))
    .sort()
    .flatMap((id) => {
      const url = `http://127.0.0.1/${id}`
      const page = { url, body: readFileSync(join(folder, id)), contentType: 'text/html', linkSite: null }
      const { pageBlocks: kept, textHash, fragments } = readPage(page, tokenizer)
      // A crawl keeps one of the addresses that give the same text.
      if (fragments.length === 0 || seen.has(textHash)) return []
      seen.add(textHash)
      return [{ id, kept }]
    })
}

/** Short addresses are near the start. */
function rankOf(id: string): string {
  return `${String(id.length).padStart(6, '0')} ${id}`
}

function numbered(pages: { id: string; fragments: Fragment[] }[]): EvalFragment[] {
  const all = pages.flatMap(({ id, fragments }) => fragments.map((fragment) => ({ id, fragment })))
  return all.map(({ id, fragment: { title, headings, innerHeadings, text, language } }, n) => ({
    key: n + 1,
    addressId: id,
    url: id,
    language,
    title,
    headings: headings.join(headingSeparator),
    innerHeadings: innerHeadings.join(headingSeparator),
    text,
  }))
}
