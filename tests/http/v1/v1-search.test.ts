import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchView } from '../../../contract/views/chat/search-results'
import { explainedSearchSchema } from '../../../contract/views/chat/search-results'
import { problemSchema } from '../../../contract/views/problem'
import { agents } from '../../../db/schema/agents'
import { pathOf } from '../../support/api/api-endpoint'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

const ask = (query: string) =>
  world.send('viewer', 'GET', pathOf({ path: `/v1/{organization}/search?${query}` }, world.own))
const found = async (query: string) => {
  const response = await ask(query)
  expect(response.status, response.text).toBe(200)
  return response.body as SearchView
}

describe('any input', () => {
  const count = Array.from({ length: 1_500 }, (_, index) => `w${index}`).join(' ')
  it.each([
    ['one letter', 'a'],
    ['one punctuation character', '?'],
    ['only stop words', 'what is the and of'],
    ['stop words of other languages', 'der die und oder'],
    ['emoji', '🎉💡🎉'],
    ['an emoji sequence', '👩‍👩‍👧‍👦'],
    ['quotes', '"'],
    ['pairs of quotes', '""lamp""'],
    ['nothing', ''],
    ['a space', ' '],
    ['a star', '*'],
    ['an open prefix', 'lamp*'],
    ['an operator', 'NEAR('],
    ['an operator with its words', 'NEAR(lamp oil, 2)'],
    ['only operators', 'AND OR NOT'],
    ['a minus', '-'],
    ['a column', 'title: lamp'],
    ['braces', '{title text}: lamp'],
    ['a caret', '^lamp'],
    ['a plus', 'lamp + oil'],
    ['a backslash', '\\'],
    ['an apostrophe', "' or 1=1 --"],
    ['direction marks', '\u202Elamp\u202C'],
    ['a lone combining mark', '\u0301'],
    ['letters of several scripts', 'lamp лампа 灯 مصباح'],
    ['10,000 letters', 'x'.repeat(10_000)],
    ['10,000 letters without a space between', '灯'.repeat(10_000)],
    ['1,500 words', count],
    ['5,000 quotes', '"'.repeat(10_000)],
  ])('%s gives a result or an empty list', async (_, query) => {
    const view = await found(`collectionId={collection}&query=${encodeURIComponent(query)}`)
    expect(Array.isArray(view.fragments)).toBe(true)
  })
})

describe('invalid searches', () => {
  it.each([
    ['threshold=1.1', 'threshold', 'from 0 to 1'],
    ['threshold=', 'threshold', 'from 0 to 1'],
    ['threshold=high', 'threshold', 'from 0 to 1'],
    ['limit=0', 'limit', 'from 1 to 25'],
    ['explain=yes', 'explain', 'true or false'],
    ['type=zip', 'type', 'one of page, txt, pdf'],
    ['type=page&type=zip', 'type', 'one of page, txt, pdf'],
    ['path=docs', 'path', 'as in /docs/**'],
    [`path=/${'x'.repeat(300)}`, 'path', 'at most 256'],
    ['language=english', 'language', 'as in en'],
    ['language=xx-bogus', 'language', 'as in en'],
    ['language=en-bogus', 'language', 'as in en'],
    ['language=en&language=qq', 'language', 'as in en'],
    ['language=en-a', 'language', 'as in en'],
    ['publishedSince=yesterday', 'publishedSince', 'as in 2026-11-21'],
    ['modifiedUntil=2026-02-30', 'modifiedUntil', 'as in 2026-11-21'],
    ['fetchedSince=2026-03-01&fetchedUntil=2026-02-01', 'fetchedUntil', 'swap them'],
    ['agentId={agent}', 'agentId', 'not both'],
    [Array(21).fill('language=en').join('&'), 'language', '20 times'],
  ])('%s names its field and the remedy', async (query, field, remedy) => {
    const response = await ask(`query=lamp&collectionId={collection}&${query}`)
    expect(response.status, response.text).toBe(400)
    const { errors = {} } = problemSchema.parse(response.body)
    expect(Object.keys(errors)).toEqual([field])
    expect(errors[field]?.join()).toContain(remedy)
  })

  it('name sources that the collection does not have', async () => {
    const missing = await ask('query=lamp&collectionId={collection}&sourceId={upload}&sourceId=nothing')
    expect(missing.status).toBe(404)
    const { errors = {} } = problemSchema.parse(missing.body)
    expect(errors).toEqual({ sourceId: [expect.stringContaining('Name one of its sources')] })
    const foreign = await ask(`query=lamp&collectionId={collection}&sourceId=${world.foreign.source}`)
    expect([foreign.status, problemSchema.parse(foreign.body).errors]).toEqual([404, errors])
  })
})

describe('an agent', () => {
  it('searches with its own limit and threshold unless others are given', async () => {
    await world.app.db.write((tx) =>
      tx.update(agents).set({ fragmentLimit: 1, fragmentSimilarity: 0.9 }).where(eq(agents.id, world.own.agent)),
    )
    const byAgent = await found('query=lamp repaired horses&agentId={agent}&explain=true')
    expect(byAgent.explanation?.threshold).toBe(0.9)
    expect(byAgent.fragments).toEqual([])
    const named = await found('query=lamp repaired horses&agentId={agent}&threshold=0.1&explain=true')
    expect(named.explanation?.threshold).toBe(0.1)
    expect(named.fragments).toHaveLength(1)
  })
})

it('reports how many fragments have no vector yet, and that the search used keywords only', async () => {
  const view = await found('query=lamp&collectionId={collection}')
  expect(view).toMatchObject({ mode: 'keyword', pending_embeddings: expect.any(Number) })
  expect(view.pending_embeddings).toBeGreaterThan(0)
})

it('filters and explains together', async () => {
  const all = explainedSearchSchema.parse((await ask('query=lamp&collectionId={collection}&explain=true')).body)
  expect(all.explanation.filtered_to).toBeNull()
  const none = await found('query=lamp&collectionId={collection}&explain=true&type=pdf')
  expect(none).toMatchObject({ fragments: [], explanation: { filtered_to: 0, dropped: [] } })
  const pages = await found('query=lamp&collectionId={collection}&explain=true&type=pdf&type=page&path=/')
  expect(pages.explanation?.filtered_to).toBeGreaterThan(0)
  expect(pages.fragments.length).toBe(all.fragments.length)
})
