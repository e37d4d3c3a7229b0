import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SQLite } from '../../db/sqlite-driver'
import { type RankingRequest, rankFragments } from '../engine/search/rank-fragments'
import { isAppError } from '../errors'
import { createSearchThreads, type SearchThreads } from './search-threads'

const folder = mkdtempSync(join(tmpdir(), 'sitelore-search-'))
const file = join(folder, 'test.db')
let writer: BetterSqlite3.Database
let search: SearchThreads
const warnings: string[] = []

beforeAll(() => {
  writer = new SQLite(file)
  writer.pragma('journal_mode = wal')
  writer.exec('create table numbers (value integer)')
  search = createSearchThreads({ file, count: 2, log: { warn: (_, message) => warnings.push(message) } })
})
afterAll(async () => {
  await search.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const slow = 'with recursive n(x) as (select 1 union all select x + 1 from n limit 300000) select count(*) as c from n'

test('sees committed transactions', async () => {
  for (let value = 1; value <= 5; value++) {
    writer.prepare('insert into numbers values (?)').run(value)
    expect(await search.all('select max(value) as most from numbers', [])).toEqual([{ most: value }])
  }
})

test('rejects with the error of a statement, and continues', async () => {
  await expect(search.all('select nowhere', [])).rejects.toThrow('no such column: nowhere')
  await expect(search.all('select nowhere', [])).rejects.toMatchObject({ code: 'SQLITE_ERROR' })
  await expect(search.all('insert into numbers values (9) returning value', [])).rejects.toThrow(/readonly/)
  expect(await search.all('select 1 as one', [])).toEqual([{ one: 1 }])
})

test('ranks as the calling thread would', async () => {
  const fragments = ['Brass lamps are wiped with a dry cloth.', 'Glass lamps are washed.'].map((text, key) => {
    const of = {
      addressId: `page-${key}`,
      url: `https://lamps.example/${key}`,
      title: '',
      headings: '',
      innerHeadings: '',
    }
    return { ...of, key, text, language: 'en', tokensPerWord: 1 }
  })
  const request: RankingRequest = {
    meant: 'brass lamp',
    query: { words: ['brass', 'lamp'], identifiers: [], tokensPerWord: 1, isEnglish: true, isReadByLetters: false },
    forms: ['brass', 'lamp'].map((word) => ({ word, tokens: 1 })),
    words: ['brass', 'lamp'],
    fused: [1, 0].map((key) => {
      return { key, fusionScore: 0.5, bm25: 1, cosine: 0.5, ranks: { keyword: null, vector: null } }
    }),
    fragments,
    rules: { limit: 2, threshold: 0, maxPerAddress: 5, preferredLanguage: null, maxDropped: 0 },
    hasMore: false,
    withPassages: true,
  }
  const ranking = await search.rank(request)
  expect(ranking?.hits.map(({ key, passage }) => [key, passage?.highlights.length])).toEqual([
    [0, 2],
    [1, 1],
  ])
  expect(ranking).toEqual(rankFragments(request))
  expect(await search.rank({ ...request, rules: { ...request.rules, limit: 3 }, hasMore: true })).toBeNull()
})

test('runs statements in parallel without blocking the event loop', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  const answers = await Promise.all(Array.from({ length: 6 }, () => search.all<{ c: number }>(slow, [])))
  clearInterval(timer)
  expect(answers.map(([row]) => row?.c)).toEqual(Array(6).fill(300_000))
  expect(turns).toBeGreaterThan(3)
})

test('finishes running statements and rejects waiting ones on close', async () => {
  const second = createSearchThreads({ file })
  const running = second.all<{ c: number }>(slow, [])
  const waiting = expect(second.all('select 1', [])).rejects.toSatisfy(isAppError)
  await second.close()
  expect(await running).toEqual([{ c: 300_000 }])
  await waiting
  await expect(second.all('select 1', [])).rejects.toSatisfy(isAppError)
})

test('rejects as unavailable if threads cannot start', async () => {
  const broken = createSearchThreads({
    file: join(folder, 'missing.db'),
    log: { warn: (_, message) => warnings.push(message) },
  })
  await expect(broken.all('select 1', [])).rejects.toSatisfy(isAppError)
  expect(warnings).toHaveLength(2)
  await broken.close()
})
