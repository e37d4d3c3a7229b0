import { readFile } from 'node:fs/promises'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import type { FileReading } from '../../server/engine/documents/ports'
import { readFileParts } from '../../server/engine/documents/read-file'
import { readDocument } from '../../server/engine/ingest/read-document'
import { readPage } from '../../server/engine/ingest/read-page'
import { crawlLimits } from '../../server/engine/limits'
import type { Fragment } from '../../server/engine/ports'
import type { Kind } from './samples'

/** What is to be read, as the parent says it. */
export interface Order {
  path: string
  kind: Kind
}

/** What came of it. */
export interface Answer {
  /** 'read', or the reason why it was not. */
  outcome: string
  /** What must not be: what was thrown, and what is wrong with what was read. */
  wrong: string[]
  fragments: number
  /** Of processor time. */
  ms: number
  /** The most that this process had so far. */
  residentBytes: number
}

/** Characters of a word piece at most, and its place in the text of a fragment. */
const longestText = crawlLimits.fragment.maxPieces * 128

const tokenizer = createTokenizer(process.argv[2] ?? '')
// As in the product's own process.
process.on('unhandledRejection', () => {})

process.on('message', async (order: Order) => {
  const before = process.cpuUsage()
  const seen = createWatch()
  let outcome = 'thrown'
  try {
    outcome = order.kind === 'page' ? await readAsPage(order, seen) : await readAsFile(order, order.kind, seen)
  } catch (error) {
    seen.wrong.push(described(error))
  }
  const { user, system } = process.cpuUsage(before)
  const answer: Answer = {
    outcome,
    wrong: seen.wrong.slice(0, 5),
    fragments: seen.count(),
    ms: (user + system) / 1000,
    residentBytes: process.resourceUsage().maxRSS * 1024,
  }
  process.send?.(answer)
})
process.send?.('ready')

type Watch = ReturnType<typeof createWatch>

async function readAsPage({ path }: Order, seen: Watch): Promise<string> {
  const body = await readFile(path)
  const site = 'https://site.example/'
  const page = { url: `${site}page`, body, contentType: 'text/html', followWithin: site }
  const { fragments, document } = readPage(page, tokenizer)
  for (const fragment of fragments) seen.take(fragment)
  seen.text('title', document.title)
  return fragments.length > 0 ? 'read' : 'empty-page'
}

async function readAsFile({ path }: Order, type: Exclude<Kind, 'page'>, seen: Watch): Promise<string> {
  const file = { path, type, name: `file.${type}` }
  let last: FileReading | undefined
  for await (const reading of readDocument(readFileParts(file), file, tokenizer)) {
    if (last?.kind === 'refused' || last?.kind === 'end') seen.wrong.push(`${reading.kind} after the end`)
    if (reading.kind === 'facts') seen.text('title', reading.facts.title)
    if (reading.kind === 'fragments') for (const fragment of reading.fragments) seen.take(fragment)
    last = reading
  }
  if (last?.kind === 'refused') return last.reason
  if (last?.kind !== 'end') seen.wrong.push('it had no end')
  if (seen.count() === 0) seen.wrong.push('it was read, and has no fragment')
  return 'read'
}

/** Looks at each fragment: it fits the model, and every database takes it. */
function createWatch() {
  const wrong: string[] = []
  let count = 0
  return {
    wrong,
    count: () => count,
    take({ text, tokens, ordinal, headings }: Fragment) {
      if (ordinal !== count) wrong.push(`fragment ${count} says that it is ${ordinal}`)
      if (tokens > crawlLimits.fragment.maxPieces) wrong.push(`a fragment of ${tokens} word pieces`)
      if (text.length > longestText) wrong.push(`a fragment of ${text.length} characters`)
      if (text.trim() === '') wrong.push('a fragment without text')
      this.text('text', text)
      this.text('headings', headings.join(' '))
      count++
    },
    text(what: string, text: string) {
      if (text.includes('\0')) wrong.push(`${what} with a zero`)
      if (!text.isWellFormed()) wrong.push(`${what} with half a character`)
    },
  }
}

function described(error: unknown): string {
  return error instanceof Error
    ? `${error.name}: ${error.message} (${error.stack?.split('\n').slice(1, 5).join(' |')})`
    : String(error)
}
