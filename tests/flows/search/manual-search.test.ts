import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { createTestApp, type TestApp } from '../../support/app'
import { firstCard } from '../../support/browser/first-card'

let test: TestApp
let orgId: string
let agentId: string

beforeAll(async () => {
  test = await createTestApp({ CRAWL_ALLOW_PRIVATE_NETWORKS: '' }, { embedder: undefined })
  const { app, runner } = test
  orgId = (await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })).id
  const embedding = app.startEmbedding()
  agentId = (await app.services.manual.ensureDemo(system, orgId)).agentId
  await embedding
  await runner.idle()
}, 600_000)
afterAll(() => test?.close())

describe("the product's own manual", () => {
  it.each([
    ['How do I add a website?', 'sources', 'To add a website, open a collection, choose Add source'],
    ['What does the similarity threshold do?', 'search', 'those that score at least the threshold'],
    ['How are sources shown in an answer?', 'chat', 'shown as numbers in square brackets'],
    ['How do I back up my data?', 'backup', 'backup --to'],
    ['Which file types can I upload?', 'files', '.docx'],
    ['How large may a file be?', 'files', 'A file may be up to 64 MB large'],
    ['Where do I enter my OpenAI key?', 'agents', 'To enter your OpenAI key'],
    ['How often is my site crawled again?', 'sources', 'crawled again once a week'],
    ['How do I put the chat on my website?', 'widget', 'To put the chat on your website'],
    ['Why is a page missing from the results?', 'sources', 'If a page is missing from the results'],
    ['How do I pause a run?', 'sources', 'Pause'],
    ['How do I reset a forgotten password?', 'sign-in', 'users reset'],
    ['What may a viewer do?', 'sign-in', 'A viewer may read, search and chat'],
    ['How do I choose another embedding model?', 'embedding-models', 'EMBEDDING_MODEL'],
    ['Where do I see why an address is not indexed?', 'reasons', 'Every address that is not indexed'],
    ['How do I delete a collection?', 'collections', 'Deleting a collection also deletes its sources'],
    ['Does it respect robots.txt?', 'crawling', 'robots.txt is fetched first and respected'],
    ['How do I get a token for the HTTP API?', 'http-api', 'sitelore -- token create ada@example.com'],
  ])('answers %j on the page %s', async (query, page, sentence) => {
    const ref = { organizationId: orgId, agentId }
    const { fragments } = await test.app.services.search.agent(system, ref, { query, preferredLanguage: 'en' })
    const card = firstCard(fragments)
    expect(new URL(card.url).pathname, card.text).toBe(`/help/${page}`)
    expect(card.text).toContain(sentence)
  })
})
