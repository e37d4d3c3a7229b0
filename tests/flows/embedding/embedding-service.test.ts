import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { usage } from '../../../db/schema/usage'
import { system } from '../../../server/actor'
import { createTestApp, type TestApp } from '../../support/app'
import { createTestCli } from '../../support/cli'
import { type EmbeddingServer, startEmbeddingServer } from '../../support/embedding/embedding-server'
import { type Site, startSite } from '../../support/sites/site'
import { until } from '../../support/until'

const page = '<title>Lamp care</title><main><h1>Lamp care</h1><p>Clean the shade of the lamp with mild soap.</p></main>'

let service: EmbeddingServer
let site: Site
let test: TestApp | undefined
beforeEach(async () => {
  service = await startEmbeddingServer()
  site = await startSite({ '/': { body: page } })
})
afterEach(async () => {
  await test?.close()
  test = undefined
  await site.close()
  await service.close()
})

const environment = () => ({ EMBEDDING_MODEL: 'openai:bge-m3@384', EMBEDDING_BASE_URL: service.openAiUrl })

async function open(changes: Record<string, string> = {}, embeddingRetryMs = 20): Promise<TestApp> {
  test = await createTestApp({ ...environment(), ...changes }, { embedder: undefined, embeddingRetryMs })
  await test.app.startEmbedding()
  return test
}

/** Crawls the page; the returned function searches for its text. */
async function readPage({ app, runner }: TestApp) {
  const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Lamps', description: '' })
  const ref = { organizationId: orgId, collectionId }
  await app.services.sources.create(system, ref, { type: 'url', name: '', url: `${site.origin}/` })
  await runner.idle()
  const search = (query: string) => app.services.search.collection(system, orgId, { collectionId, query, limit: 5 })
  return { orgId, search }
}

describe('a service that embeds', () => {
  it('embeds fragments and searches, and its tokens are counted', async () => {
    const opened = await open()
    const { app } = opened
    const { orgId, search } = await readPage(opened)
    expect(app.services.embedding.state()).toMatchObject({ kind: 'ready', model: /^openai:bge-m3@384 at 127/ })
    const found = await search('shade soap')
    expect(found).toMatchObject({ mode: 'hybrid', pending_embeddings: 0 })
    expect(found.fragments).toMatchObject([{ title: 'Lamp care' }])
    expect(service.calls.some(({ texts }) => texts.some((text) => text.includes('mild soap')))).toBe(true)
    await app.services.embeddingAccount.write()
    const [month] = await app.db.read.select().from(usage).where(eq(usage.organizationId, orgId))
    expect(month?.embeddingTokens).toBeGreaterThan(5)
    const sent = service.calls.length
    await search('shade soap')
    expect(service.calls).toHaveLength(sent)
  })

  it('leaves keyword search while it is away, and is tried again', async () => {
    service.faults.push({ status: 503, times: 2 })
    const opened = await open()
    const { embedding } = opened.app.services
    expect(embedding.state()).toEqual({
      kind: 'unavailable',
      reason: 'OpenAI is not available for embeddings at the moment.',
    })
    await until(() => embedding.state().kind === 'ready')
    const { search } = await readPage(opened)
    service.faults.push({ status: 503, times: 1 })
    expect(await search('soap')).toMatchObject({ mode: 'keyword', fragments: [{ title: 'Lamp care' }] })
    expect(await search('soap')).toMatchObject({ mode: 'hybrid' })
  })

  it('is not tried again with a key that it rejects', async () => {
    service.faults.push({ status: 401, times: 1 })
    // In a cluster the job looks for the model again after this time, and the runner would never be idle.
    const opened = await open({ EMBEDDING_API_KEY: 'sk-wrong' }, 60_000)
    const reason = 'OpenAI rejected the API key for embeddings.'
    expect(opened.app.services.embedding.state()).toEqual({ kind: 'unavailable', reason })
    const { search } = await readPage(opened)
    expect(await search('soap')).toMatchObject({ mode: 'keyword' })
    expect(service.calls).toHaveLength(1)
  })

  it('gets the key of an organization, unless it is a server for embeddings alone', async () => {
    const shared = {
      EMBEDDING_MODEL: 'openai:bge-m3@384',
      OPENAI_BASE_URL: service.openAiUrl,
      OPENAI_API_KEY: 'sk-server',
    }
    test = await createTestApp(shared, { embedder: undefined })
    await test.app.startEmbedding()
    const { orgId, search } = await readPage(test)
    await search('lamp')
    expect(new Set(service.calls.map(({ apiKey }) => apiKey))).toEqual(new Set(['sk-server']))
    await test.app.services.organizations.update(system, orgId, {
      default_agent_provider: 'openai',
      default_agent_provider_key: 'sk-own',
    })
    await search('shade')
    expect(service.calls.at(-1)?.apiKey).toBe('sk-own')
  })

  it('needs a key of OpenAI', async () => {
    const { app } = await open({ EMBEDDING_BASE_URL: '' })
    expect(app.services.embedding.state()).toEqual({
      kind: 'unavailable',
      reason: 'openai:bge-m3@384 needs a key: set EMBEDDING_API_KEY or OPENAI_API_KEY.',
    })
  })

  it('is checked by doctor', async () => {
    await open()
    const cli = await createTestCli(environment())
    const { out } = await cli.run(['doctor'])
    expect(out).toMatch(/^ok +Embedding model +openai:bge-m3@384 computes embeddings\.$/m)
    expect(out).toMatch(
      /127\.0\.0\.1:\d+ \(OpenAI: the text of the collections with the embedding model openai:bge-m3@384, and of all searches and questions in them/,
    )
    expect(out).not.toMatch(/^\w+ +onnxruntime /m)
  })
})
