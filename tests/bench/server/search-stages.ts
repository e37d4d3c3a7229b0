/**
 * Processor time of one search by stage, of all threads, one search at a time, in a collection of the manuals:
 *   npm run bench -- search-stages [fragments, default 100000] [data folder to reuse]
 * The whole is that of the built server for POST /v1/public/search. The stages run in this process with the same code and
 * data; what they leave of the whole is HTTP, limits and the messages between threads.
 */
import { readFileSync } from 'node:fs'
import { and, eq } from 'drizzle-orm'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { ensureBuilt } from '../../../scripts/lib/build.mjs'
import { createTokenizer } from '../../../server/adapters/embedding/model-tokenizer'
import { createTransformersEmbedder } from '../../../server/adapters/embedding/transformers'
import { createSearchThreads } from '../../../server/adapters/search-threads'
import { createSqliteTextIndex } from '../../../server/adapters/text-index/text-index'
import { createSqliteVectorIndex } from '../../../server/adapters/vector-index/vector-index'
import { searchKeywords, searchVectors } from '../../../server/engine/search/candidates'
import { choosePassages } from '../../../server/engine/search/passage/choose-passages'
import { parseQuery } from '../../../server/engine/search/query/parse-query'
import { fuse } from '../../../server/engine/search/ranking/fusion'
import { createRelevanceScorer, searchedForms } from '../../../server/engine/search/ranking/relevance'
import { batchSizeFor, selectHits } from '../../../server/engine/search/ranking/select-hits'
import { vectorWeightFor } from '../../../server/engine/search/ranking/vector-weight'
import { isOfSource, isSearchable } from '../../../server/services/fragments/visible-fragments'
import { createUseCounters } from '../../../server/services/usage/use-counters'
import { openTestApp } from '../../support/app'
import { newDataFolder } from '../../support/database/data-folder'
import { startBuiltServer } from '../../support/web/server'
import { manualFragments, manualPages, modelFolder, ownFragments } from '../manuals'
import { publicAgent, queryOf } from './public-agent'

const [count = '100000', reused] = process.argv.slice(2)
const total = Number(count)
const rounds = 300
const clockTicksPerSecond = 100
const limit = 10

await ensureBuilt(['pages', 'server'])
const texts = manualPages().length > 0 ? Array.from(manualFragments(total)) : ownFragments()
const folder = reused ?? (await newDataFolder())
const { key, collectionId } = await publicAgent(folder, texts, total)
const whole = await wholeSearch()
const stages = await searchByStage()
const known = sumOf(stages)
stages.set('HTTP, limits, messages between threads', whole - known)
console.log(`${total} fragments of ${texts.length} texts, processor time of one search: ${whole.toFixed(1)} ms`)
for (const [name, ms] of stages)
  console.log(`  ${name.padEnd(40)} ${ms.toFixed(2).padStart(6)} ms ${((100 * ms) / whole).toFixed(0).padStart(4)} %`)

/** Milliseconds of the server's processor time for one search, its counters included. */
async function wholeSearch(): Promise<number> {
  const server = await startBuiltServer({ DATA_DIR: folder, PUBLIC_REQUESTS_PER_MINUTE: '100000' })
  const search = (n: number) =>
    fetch(`${server.origin}/v1/public/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: queryOf(texts, n) }),
    }).then((response) => response.text())
  for (let n = 1; n <= 100; n++) await search(-n)
  const before = processorMs(server.process.pid)
  for (let n = 0; n < rounds; n++) await search(n)
  const spent = processorMs(server.process.pid) - before
  await server.stop()
  return spent / rounds
}

function sumOf(times: Map<string, number>): number {
  return [...times.values()].reduce((sum, ms) => sum + ms, 0)
}

function processorMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / clockTicksPerSecond
}

async function searchByStage(): Promise<Map<string, number>> {
  const { app } = await openTestApp({ DATA_DIR: folder })
  const embedder = await createTransformersEmbedder({ modelFolder })
  const tokenizer = createTokenizer(modelFolder)
  const threads = createSearchThreads({ file: app.config.databaseFile, count: 2, keywordCacheBytes: 2 ** 28 })
  const text = createSqliteTextIndex({ search: threads })
  const vectors = createSqliteVectorIndex({ search: threads, cacheBytes: 2 ** 30 })
  const counters = createUseCounters({ db: app.db })
  const spent = new Map<string, number>()
  const { organizationId } = await organizationOf()
  // The first search of a collection has it copied.
  await vectors.search(collectionId, await embedder.embedQuery('warm'), limit)
  for (let n = -100; n < rounds; n++) {
    if (n === 0) spent.clear()
    await searchOnce(queryOf(texts, n))
  }
  await counters.write()
  await vectors.close()
  await threads.close()
  await embedder.close()
  await app.close()
  return new Map([...spent].map(([name, ms]) => [name, ms / rounds]))

  /** Counts the time of `work`, without that of the stages in it. */
  async function stage<Result>(name: string, work: () => Promise<Result> | Result): Promise<Result> {
    const sumBefore = sumOf(spent)
    const before = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    const inner = sumOf(spent) - sumBefore
    spent.set(name, (spent.get(name) ?? 0) + (user + system) / 1_000 - inner)
    return result
  }

  async function searchOnce(asked: string): Promise<void> {
    const query = await stage('reading the query', () => parseQuery(asked, tokenizer, ['en']))
    const vector = await stage('embedding', () => embedder.embedQuery(asked))
    const keyword = await stage('keywords', () => searchKeywords(text, collectionId, query, null, { countsAll: false }))
    const nearest = await stage('vectors', () => searchVectors(vectors, collectionId, vector, null))
    const found = new Set(nearest.map((hit) => hit.key))
    const missing = keyword.hits.slice(0, 100).flatMap((hit) => (found.has(hit.key) ? [] : hit.key))
    const cosines = await stage('cosines', () => vectors.cosines(collectionId, vector, missing))
    const vectorWeight = vectorWeightFor({ ...query, isFoundName: false })
    const fused = fuse({ keywordHits: keyword.hits, vectorHits: nearest, cosines, vectorWeight, depth: 100 })
    const rules = { limit, threshold: 0.3, maxPerAddress: 5, preferredLanguage: null, maxDropped: 0 }
    const candidates = fused.slice(0, batchSizeFor(rules))
    const loaded = await stage('loading', () => load(candidates.map((hit) => hit.key)))
    const forms = searchedForms(query.words, keyword.expansions, tokenizer)
    const selection = await stage('reranking', () => {
      const scoreRelevance = createRelevanceScorer(asked, query, forms)
      return selectHits({ fused: candidates, fragments: loaded, scoreRelevance, query, rules })
    })
    const sources = selection.hits.map(({ fragment }) => fragment)
    const passages = await stage('passages', () => choosePassages(sources, forms))
    await stage('counters', () =>
      counters.take({ organizationId, meter: 'searches', limit: 0, at: new Date(), isByVisitor: true }),
    )
    await stage('JSON', () => JSON.stringify({ hits: selection.hits, passages }))
  }

  function load(keys: number[]) {
    const {
      key: fragmentKey,
      addressId,
      title,
      headings,
      innerHeadings,
      text: content,
      language,
      tokensPerWord,
    } = fragments
    const { url } = addresses
    return app.db.read
      .select({
        key: fragmentKey,
        addressId,
        title,
        headings,
        innerHeadings,
        text: content,
        language,
        tokensPerWord,
        url,
      })
      .from(fragments)
      .innerJoin(addresses, eq(addresses.id, fragments.addressId))
      .innerJoin(sources, isOfSource())
      .where(isSearchable(collectionId, keys))
  }

  async function organizationOf() {
    const [row] = await app.db.read
      .select({ organizationId: sources.organizationId })
      .from(sources)
      .where(and(eq(sources.collectionId, collectionId)))
    if (!row) throw new Error('The collection has no source.')
    return row
  }
}
