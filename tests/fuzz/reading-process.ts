import { readFile } from 'node:fs/promises'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import type { FileReading } from '../../server/engine/documents/ports'
import { readFileParts } from '../../server/engine/documents/read-file'
import { readDocument } from '../../server/engine/ingest/read-document'
import { readPage } from '../../server/engine/ingest/read-page'
import { crawlLimits } from '../../server/engine/limits'
import type { Fragment } from '../../server/engine/ports/extractor'
import type { Kind } from './samples'

/** A request of the parent process. */
export interface ReadRequest {
  path: string
  kind: Kind
}

/** The result. */
export interface ReadResult {
  /** 'read', or the reason for a refusal. */
  outcome: string
  /** Failures: exceptions, and defects of what was read. */
  wrong: string[]
  fragments: number
  /** Processor time. */
  ms: number
  /** Peak resident set size of the process so far. */
  residentBytes: number
}

/** Upper bound for the characters of a fragment. */
const maxTextLength = crawlLimits.fragment.maxTokens * 128

const tokenizer = createTokenizer(process.argv[2] ?? '')
// As in the product's own process.
process.on('unhandledRejection', () => {})

process.on('message', async (order: ReadRequest) => {
  const before = process.cpuUsage()
  const checked = createFragmentCheck()
  let outcome = 'thrown'
  try {
    outcome = order.kind === 'page' ? await readAsPage(order, checked) : await readAsFile(order, order.kind, checked)
  } catch (error) {
    checked.wrong.push(described(error))
  }
  const { user, system } = process.cpuUsage(before)
  const answer: ReadResult = {
    outcome,
    wrong: checked.wrong.slice(0, 5),
    fragments: checked.count(),
    ms: (user + system) / 1000,
    residentBytes: process.resourceUsage().maxRSS * 1024,
  }
  process.send?.(answer)
})
process.send?.('ready')

type FragmentCheck = ReturnType<typeof createFragmentCheck>

async function readAsPage({ path }: ReadRequest, checked: FragmentCheck): Promise<string> {
  const body = await readFile(path)
  const site = 'https://site.example/'
  const page = { url: `${site}page`, body, contentType: 'text/html', linkSite: site }
  const { fragments, document } = readPage(page, tokenizer)
  for (const fragment of fragments) checked.fragment(fragment)
  checked.text('title', document.title)
  return fragments.length > 0 ? 'read' : 'empty-page'
}

async function readAsFile({ path }: ReadRequest, type: Exclude<Kind, 'page'>, checked: FragmentCheck): Promise<string> {
  const file = { path, type, name: `file.${type}` }
  let last: FileReading | undefined
  for await (const reading of readDocument(readFileParts(file), file, tokenizer)) {
    if (last?.kind === 'refused' || last?.kind === 'end') checked.wrong.push(`${reading.kind} after the end`)
    if (reading.kind === 'facts') checked.text('title', reading.facts.title)
    if (reading.kind === 'fragments') for (const fragment of reading.fragments) checked.fragment(fragment)
    last = reading
  }
  if (last?.kind === 'refused') return last.reason
  if (last?.kind !== 'end') checked.wrong.push('the file had no end')
  if (checked.count() === 0) checked.wrong.push('the file was read, but has no fragments')
  return 'read'
}

/** Checks that each fragment fits the model and can be stored. */
function createFragmentCheck() {
  const wrong: string[] = []
  let count = 0
  return {
    wrong,
    count: () => count,
    fragment({ text, tokens, ordinal, headings }: Fragment) {
      if (ordinal !== count) wrong.push(`fragment ${count} has ordinal ${ordinal}`)
      if (tokens > crawlLimits.fragment.maxTokens) wrong.push(`a fragment of ${tokens} tokens`)
      if (text.length > maxTextLength) wrong.push(`a fragment of ${text.length} characters`)
      if (text.trim() === '') wrong.push('a fragment without text')
      this.text('text', text)
      this.text('headings', headings.join(' '))
      count++
    },
    text(what: string, text: string) {
      if (text.includes('\0')) wrong.push(`${what} with a null character`)
      if (!text.isWellFormed()) wrong.push(`${what} with a lone surrogate`)
    },
  }
}

function described(error: unknown): string {
  return error instanceof Error
    ? `${error.name}: ${error.message} (${error.stack?.split('\n').slice(1, 5).join(' |')})`
    : String(error)
}
