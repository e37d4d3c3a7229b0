/**
 * Compares keyword search with plain FTS5 over the same texts, which are fragments of Debian's manuals and repeat until
 * there are enough. One fragment in a hundred is in a collection of its own.
 * Usage: npx tsx tests/bench/keywords.ts [fragments, default 1000000] [distinct fragments, default 100000]
 */
import { statSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { createSqliteTextIndex } from '../../server/adapters/text-index/text-index'
import { headingSeparator } from '../../server/engine/chunking/embedding-text'
import { foldText, splitWords } from '../../server/engine/language/normalize-text'
import { parseQuery } from '../../server/engine/search/query/parse-query'
import { openIndexDatabase } from '../support/database/index-database'
import { createRandom } from './embedding/vector-file'
import { manualFragments, manualPages, modelFolder, noManuals } from './manuals'
import { percentile, timesOf } from './percentiles'

const [count = '1000000', distinct = '100000'] = process.argv.slice(2)
const total = Number(count)
const batch = 200
const rounds = 100
const plainRounds = 10
const limit = 1_000
const cacheBytes = 400 * 2 ** 20
const random = createRandom(7)

interface IndexedText {
  title: string
  headings: string
  text: string
}

function collectionOf(key: number): string {
  return key % 100 === 0 ? 'small' : 'large'
}

async function main(fragments: IndexedText[]): Promise<void> {
  const opened = await openIndexDatabase({ threads: 1, rehearse: false, keywordCacheBytes: cacheBytes })
  const { database, search, file } = opened
  const tokenizer = createTokenizer(modelFolder)
  const index = createSqliteTextIndex({ search, merging: { database, file } })
  console.log(`${total} fragments, ${fragments.length} of them distinct`)

  let checked = performance.now()
  const started = checked
  for (let from = 1; from <= total; from += batch) {
    const rows = Array.from({ length: Math.min(batch, total - from + 1) }, (_, n) => {
      const words = fragments[(from + n) % fragments.length] ?? { title: '', headings: '', text: '' }
      return { ...words, key: from + n, collectionId: collectionOf(from + n) }
    })
    await database.write((tx) => index.add(tx, rows))
    if ((from - 1 + batch) % 100_000 === 0) {
      console.log(`insert up to ${from - 1 + batch}: ${rate(100_000, checked)} fragments/s`)
      checked = performance.now()
    }
  }
  console.log(`insert: ${rate(total, started)} fragments/s in batches of ${batch}`)
  await index.settle()
  const [{ bytes, segments } = { bytes: 0, segments: 0 }] = await search.all<{ bytes: number; segments: number }>(
    'select (select sum(length(bytes)) from text_segment_chunks) bytes, count(*) segments from text_segments',
    [],
  )
  console.log(`${Math.round(bytes / total)} bytes per fragment in ${segments} segments, file ${sizeOf(file)} MB`)
  await insertPlain(database, fragments)

  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  for (const collection of ['large', 'small'] as const) {
    for (const [kind, make] of Object.entries(kindsOfQueries(fragments))) {
      const queries = Array.from({ length: rounds }, make)
      const times = await timesOf(rounds, (n) =>
        index.search(collection, parseQuery(queries[n] ?? '', tokenizer, []), limit),
      )
      const plain = await timesOf(plainRounds, (n) =>
        search.all(plainSearch, [plainMatch(collection, queries[n] ?? '')]),
      )
      const peer = `plain FTS5 ${percentile(plain, 0.5)}`
      console.log(
        `${collection}, ${kind.padEnd(23)} p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)}; ${peer}`,
      )
    }
  }
  console.log(`event loop p99 while searching: ${(delay.percentile(99) / 1e6).toFixed(1)} ms`)
  await index.close()
  await opened.close()
}

/** A table of FTS5 with the same texts and the number of their collection, as a peer would use it. */
async function insertPlain(database: Database, fragments: IndexedText[]): Promise<void> {
  const started = performance.now()
  await database.write((tx) =>
    tx.execute(
      sql`create virtual table plain using fts5(place, title, headings, text, content='', contentless_delete=1)`,
    ),
  )
  for (let from = 1; from <= total; from += batch) {
    const rows = Array.from({ length: Math.min(batch, total - from + 1) }, (_, n) => {
      const { title, headings, text } = fragments[(from + n) % fragments.length] ?? {
        title: '',
        headings: '',
        text: '',
      }
      return [from + n, placeOf(collectionOf(from + n)), title, headings, text]
    })
    await database.write((tx) =>
      tx.execute(sql`insert into plain (rowid, place, title, headings, text)
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each(${JSON.stringify(rows)})`),
    )
  }
  console.log(`plain FTS5 inserts ${rate(total, started)} fragments/s`)
}

const plainSearch = `select rowid from plain where plain match ?
  and rank match 'bm25(0, 3, 2, 1)' order by rank limit ${limit}`

/** Matches any word of the query within the collection. */
function plainMatch(collection: string, query: string): string {
  const words = splitWords(foldText(query)).map((word) => `{title headings text} : "${word}"`)
  return `place : "${placeOf(collection)}" AND (${words.join(' OR ')})`
}

function placeOf(collection: string): string {
  return `collection${collection}`
}

/** Queries made from the texts: copied, remembered in part, and misspelt. */
function kindsOfQueries(fragments: IndexedText[]): Record<string, () => string> {
  const wordsOf = (): string[] => {
    const { text = '' } = fragments[Math.floor(random.next() * fragments.length)] ?? {}
    const words = text.split(/[^A-Za-z]+/).filter((word) => word.length > 1)
    return words.length > 30 ? words : wordsOf()
  }
  const run = (amount: number): string => {
    const words = wordsOf()
    const start = Math.floor(random.next() * (words.length - amount))
    return words.slice(start, start + amount).join(' ')
  }
  const scattered = (amount: number): string => Array.from({ length: amount }, () => run(1)).join(' ')
  const longWord = (minLength: number): string => wordsOf().find((text) => text.length >= minLength) ?? 'configuration'
  const misspelt = (): string => {
    const word = longWord(7)
    return `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)} ${run(3)}`
  }
  // After the first four letters, which select the candidates for a correction.
  const misspeltTwice = (): string => {
    const word = longWord(9)
    return `${word.slice(0, 5)}q${word.slice(6, 7)}q${word.slice(8)} ${run(3)}`
  }
  return {
    '12 words in a row': () => run(12),
    '6 words in a row': () => run(6),
    '3 words in a row': () => run(3),
    '1 word': () => run(1),
    '12 words of 12 texts': () => scattered(12),
    'stop words': () => 'to be or not to be',
    'common words': () =>
      ['class method', 'return value of the method', 'type', 'file name'][Math.floor(random.next() * 4)] ?? '',
    'a misspelt word and 3': misspelt,
    'two wrong letters and 3': misspeltTwice,
  }
}

function rate(amount: number, since: number): number {
  return Math.round((amount * 1_000) / (performance.now() - since))
}

function sizeOf(file: string): number {
  return Math.round(statSync(file).size / 1e6)
}

if (manualPages().length === 0) console.log(noManuals)
else {
  const fragments = Array.from(
    manualFragments(Math.min(total, Number(distinct))),
    ({ title, headings, innerHeadings, text }) => ({
      title,
      headings: [...headings, ...innerHeadings].join(headingSeparator),
      text,
    }),
  )
  await main(fragments)
}
