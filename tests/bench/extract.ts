import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseHTML } from 'linkedom'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { decodeHtml } from '../../server/engine/charset/decode-html'
import { parsePage } from '../../server/engine/html/dom/parse'
import { extractPage } from '../../server/engine/html/extract-page'
import { readPage } from '../../server/engine/ingest/read-page'
import type { ExtractionRequest } from '../../server/engine/ports/extractor'
import { printContacts } from './contacts'

const evaluationSets = fileURLToPath(new URL('../../../shared/eval', import.meta.url))

interface HtmlParser {
  Tokenizer: new (options: object, callbacks: Record<string, () => void>) => { write(text: string): void; end(): void }
}

/** The parser of linkedom, for comparison. */
const { Tokenizer } = createRequire(createRequire(import.meta.url).resolve('linkedom'))('htmlparser2') as HtmlParser

/**
 * Counts the contacts that are found on the pages of the evaluation sets, and measures the processor time to read a folder of HTML files, step by step, and that of other parsers for the same bytes:
 * `npx tsx tests/bench/extract.ts /usr/share/doc/python3.11/html`
 */
function main(folder: string | undefined): void {
  printContacts(evaluationSets)
  const isThere = folder && statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (!isThere) {
    console.log(`Skipped: ${folder ? `no folder ${folder}` : 'pass a folder of HTML files'}.`)
    return
  }
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.html?$/.test(name))
  const site = 'http://site.example/'
  const pages = names.map((name) => ({
    url: `${site}${name}`,
    body: readFileSync(join(folder, name)),
    contentType: 'text/html',
    linkSite: site,
  }))
  const bytes = pages.reduce((sum, page) => sum + page.body.length, 0)
  console.log(`${pages.length} pages, ${(bytes / 1e6).toFixed(1)} MB`)
  for (const round of ['cold', 'warm']) printRound(round, pages)
}

function printRound(round: string, pages: ExtractionRequest[]): void {
  const tokenizer = createTokenizer(fileURLToPath(new URL('../../models/all-MiniLM-L6-v2', import.meta.url)))
  const sources = pages.map((page) => decodeHtml(page.body, page.contentType))
  const tokens = seconds(() => sources.forEach(tokenize))
  const linkedom = seconds(() => {
    for (const source of sources) parseHTML(source)
  })
  const parse = seconds(() => {
    for (const source of sources) parsePage(source)
  })
  const extract = seconds(() => {
    for (const [index, source] of sources.entries()) extractPage(source, pages[index]?.url ?? '')
  })
  const read = seconds(() => {
    for (const page of pages) readPage(page, tokenizer)
  })
  const speed = (time: number) => `${(pages.length / time).toFixed(0)} pages/s`
  console.log(
    [
      `${round}: tokens of htmlparser2 ${speed(tokens)}, parse with linkedom ${speed(linkedom)}`,
      `  parse ${speed(parse)}, extract ${speed(extract)}, read (with fragments and links) ${speed(read)}`,
      `  extract / linkedom's parse ${(extract / linkedom).toFixed(2)} (limit 2.5), extract / tokens ${(extract / tokens).toFixed(1)}`,
    ].join('\n'),
  )
}

function tokenize(source: string): void {
  const nothing = () => {}
  const names =
    'onattribdata onattribentity onattribend onattribname oncdata onclosetag oncomment ondeclaration onend onopentagend onopentagname onprocessinginstruction onselfclosingtag ontext ontextentity'
  const callbacks = Object.fromEntries(names.split(' ').map((name) => [name, nothing]))
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks)
  tokenizer.write(source)
  tokenizer.end()
}

function seconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1e6
}

main(process.argv[2])
