import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createSqliteTextIndex } from '../../server/adapters/text-index-sqlite'
import { createSqliteVectorIndex } from '../../server/adapters/vector-index-sqlite'
import { passageOf } from '../../server/engine/passage'
import type { Embedder, Tokenizer } from '../../server/engine/ports'
import type { ReadQuery } from '../../server/engine/query-words'
import type { RetrievableFragment, RetrieveDeps } from '../../server/engine/retrieve'
import { openIndexDatabase } from '../support/index-database'
import type { CorpusSet } from './sets'

const longestFragment = 200
const batch = 200
const collectionId = 'corpus'
const cache = resolve(import.meta.dirname, '../../node_modules/.cache/eval')

export interface SearchableSet {
  collectionId: string
  deps: RetrieveDeps<RetrievableFragment>
  fragments: number
  close(): Promise<void>
}

export interface Tools {
  embedder: Embedder
  tokenizer: Tokenizer
  readQuery(query: string): ReadQuery
}

/** A corpus in an index of its own: pages cut at sentences into fragments of 200 pieces with their title. */
export async function indexCorpus(
  { name, pages }: CorpusSet,
  { embedder, tokenizer, readQuery }: Tools,
): Promise<SearchableSet> {
  const opened = await openIndexDatabase({ dimensions: embedder.dimensions, rehearse: false })
  const textIndex = createSqliteTextIndex({ search: opened.search, readQuery })
  const vectorIndex = createSqliteVectorIndex({ search: opened.search })
  const fragments: RetrievableFragment[] = []
  for (const { id, title, text } of pages) {
    for (const part of cut(text, longestFragment - tokenizer.count(title), tokenizer)) {
      fragments.push({ key: fragments.length + 1, addressId: id, title, headings: '', text: part })
    }
  }
  const vectors = await vectorsOf(name, fragments.map(passageOf), embedder)
  for (let start = 0; start < fragments.length; start += batch) {
    const some = fragments.slice(start, start + batch)
    await opened.database.write(async (tx) => {
      await textIndex.add(
        tx,
        some.map((fragment) => ({ ...fragment, collectionId })),
      )
      await vectorIndex.add(
        tx,
        collectionId,
        some.map(({ key }) => ({ key, vector: vectors[key - 1] ?? new Float32Array() })),
      )
    })
  }
  return {
    collectionId,
    fragments: fragments.length,
    deps: {
      textIndex,
      vectorIndex,
      embedder,
      readQuery,
      loadFragments: async (keys) => keys.flatMap((key) => fragments[key - 1] ?? []),
      countWithoutVector: async () => 0,
    },
    close: () => opened.close(),
  }
}

function cut(text: string, longest: number, tokenizer: Tokenizer): string[] {
  const parts: string[] = []
  let part = ''
  for (const sentence of text.split(/(?<=[.!?。！？])\s*(?=\S)|\n+/)) {
    if (part !== '' && tokenizer.count(part) + tokenizer.count(sentence) > longest) {
      parts.push(part)
      part = ''
    }
    part = part === '' ? sentence : `${part} ${sentence}`
  }
  return part === '' ? parts : [...parts, part]
}

/** Embedding takes minutes, so the vectors of the same texts by the same model are kept. */
async function vectorsOf(name: string, texts: string[], embedder: Embedder): Promise<Float32Array[]> {
  const hash = createHash('sha256').update(embedder.model)
  for (const text of texts) hash.update(text).update('\0')
  const file = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}.f32`)
  if (!existsSync(file)) {
    const found: Float32Array[] = []
    for (let start = 0; start < texts.length; start += batch) {
      found.push(...(await embedder.embedPassages(texts.slice(start, start + batch))))
      if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${found.length} of ${texts.length} embedded `)
    }
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
    mkdirSync(cache, { recursive: true })
    writeFileSync(file, Buffer.concat(found.map(({ buffer }) => new Uint8Array(buffer as ArrayBuffer))))
  }
  const bytes = readFileSync(file)
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  return texts.map((_, n) => all.subarray(n * embedder.dimensions, (n + 1) * embedder.dimensions))
}
