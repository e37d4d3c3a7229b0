import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { startTestWorkers } from '../../support/app'
import { issueToken } from '../../support/people/access-token'
import { createPerson } from '../../support/people/people'
import { type Provider, startProvider } from '../../support/providers/provider'
import { lampQuestions } from '../../support/sites/lamp-pages'
import { lampSite } from '../../support/sites/site'
import { apiRoutes } from '../../support/web/api-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const prompt = lampQuestions[0]?.question ?? ''
const tokens = new Map<string, string>()
let provider: Provider
let site: WebSite
let orgId: string
let agentPath: string

beforeAll(async () => {
  provider = await startProvider({ keys: ['key-of-the-test'] })
  site = await startWebSite(
    {
      ...apiRoutes,
    },
    {
      OPENAI_API_KEY: 'key-of-the-test',
      OPENAI_BASE_URL: provider.baseUrl,
      CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
      CRAWL_DELAY_MS: '0',
    },
  )
  const { app } = site
  const lamps = await lampSite()
  const runner = await startTestWorkers(app)
  orgId = (await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })).id
  const otherText = (await app.services.organizations.create(system, { name: 'Other', entity_name: '' })).id
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Lamps', description: '' })
  await app.services.sources.create(
    system,
    { organizationId: orgId, collectionId },
    { type: 'domain', name: '', url: lamps.origin },
  )
  await runner.idle()
  await runner.stop()
  await lamps.close()
  const agent = await app.services.agents.create(system, orgId, { name: 'Helper', description: '', useDefaults: true })
  await app.services.agents.link(system, { organizationId: orgId, agentId: agent.id }, { collectionId })
  agentPath = `/v1/${orgId}/agents/${agent.id}/chat`
  for (const [name, roles] of Object.entries({
    admin: { [orgId]: 'admin' },
    viewer: { [orgId]: 'viewer' },
    stranger: { [otherText]: 'admin' },
  } as const)) {
    tokens.set(name, await issueToken(app, (await createPerson(app, roles)).email))
  }
})
afterAll(async () => {
  await site.close()
  await provider.close()
})
beforeEach(() => void provider.requests.splice(0))

function send(
  method: string,
  path: string,
  { as = 'viewer', body, accept, signal }: { as?: string; body?: unknown; accept?: string; signal?: AbortSignal } = {},
) {
  const headers = new Headers({ 'user-agent': 'A test', origin: 'https://ask.example' })
  const token = tokens.get(as)
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (accept) headers.set('accept', accept)
  if (body !== undefined) headers.set('content-type', 'application/json')
  return fetch(site.origin + path, {
    method,
    headers,
    signal: signal ?? null,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
const ask = (body: object = {}, options: { as?: string; accept?: string; signal?: AbortSignal } = {}) =>
  send('POST', agentPath, { body: { prompt, ...body }, ...options })

async function eventsOf(response: Response) {
  const text = await response.text()
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => {
      const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
      return { name, data: JSON.parse(data) }
    })
}

describe('POST chat', () => {
  it('responds with the complete answer as JSON, with thread, message and fragments', async () => {
    const response = await ask()
    expect(response.status).toBe(200)
    const answer = await response.json()
    expect(answer.message).toMatchObject({
      role: 'agent',
      status: 2,
      thread_id: answer.threadId,
      content: expect.stringMatching(/\[1\]/),
    })
    expect(new URL(answer.fragments[0].url).pathname).toBe(lampQuestions[0]?.path)
    expect(answer.fragments[0]).toMatchObject({
      id: expect.any(String),
      score: expect.any(Number),
      content: expect.any(String),
    })

    const again = await (await ask({ threadId: answer.threadId, createdAt: new Date().toISOString() })).json()
    expect(again.threadId).toBe(answer.threadId)
  })

  it('streams events if the client accepts them', async () => {
    const response = await ask({}, { accept: 'text/event-stream' })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events = await eventsOf(response)
    expect(events[0]).toMatchObject({
      name: 'sources-found',
      data: { type: 'sources-found', fragments: expect.any(Array) },
    })
    expect(events.at(-2)?.name).toBe('text-end')
    const text = events.flatMap(({ name, data }) => (name === 'text-delta' ? [data.text] : [])).join('')
    expect(text).toMatch(/\[1\]\(http:[^)]+\/help\/battery[^)]*\)/)
    expect(text).not.toContain('<<')
    expect(events.at(-1)).toMatchObject({ name: 'answer-end', data: { cited: [1, 2], message: { content: text } } })
  })

  it('stops the model when the client disconnects, and keeps the partial answer', async () => {
    provider.next({ kind: 'stall', words: 3 })
    const leave = new AbortController()
    const response = await ask({}, { accept: 'text/event-stream', signal: leave.signal })
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    for (let seen = ''; !seen.includes('event: text-delta'); ) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) throw new Error(`The stream ended early: ${seen}`)
      seen += decoder.decode(value, { stream: true })
    }
    leave.abort()
    await reader?.closed.catch(() => {})
    await provider.requests[0]?.closed
    await expect
      .poll(async () => {
        const { threads: list } = await (await send('GET', `/v1/${orgId}/threads`)).json()
        const { thread: newest } = await (
          await send('GET', `/v1/${orgId}/threads/${list.docs[0].id}?messages=true`)
        ).json()
        return newest.messages[1]?.status_message
      })
      .toBe('Stopped before the end of the answer.')
  })

  it('says that it found nothing, without a model', async () => {
    const answer = await (await ask({ prompt: 'Zyzzyva quokka?' })).json()
    expect(answer).toMatchObject({ fragments: [], message: { role: 'agent', verdict: 'not-found', cited: [] } })
    expect(answer.message.content).toBe("I couldn't find anything about this.")
    expect(provider.requests).toHaveLength(0)
  })

  it('reports a failure of the model in plain language, in both formats', async () => {
    const step = { kind: 'status', status: 400, error: { message: 'too long' } } as const
    provider.next(step, step)
    const response = await ask()
    expect(response.status).toBe(502)
    const failure = {
      title: 'Failed to process your request with Chat API',
      message: 'OpenAI did not accept the request: too long',
    }
    expect(await response.json()).toMatchObject({ code: 'upstream_failed', ...failure })
    const events = await eventsOf(await ask({}, { accept: 'text/event-stream' }))
    expect(events.map(({ name }) => name)).toEqual(['sources-found', 'answer-error'])
    expect(events[1]?.data).toMatchObject({ ...failure, partial: null })
  })

  it.each(['application/json', 'text/event-stream'])(
    'rejects with a problem of its own status (%s)',
    async (accept) => {
      const bad = await ask({ prompt: '   ' }, { accept })
      expect(bad.status).toBe(400)
      expect(await bad.json()).toMatchObject({ message: 'Invalid prompt, did you type your message?' })
      expect((await ask({ prompt: 'x'.repeat(600) }, { accept })).status).toBe(400)
      expect((await ask({ prompt: 7 }, { accept })).status).toBe(400)
      expect((await ask({ threadId: 'nothing' }, { accept })).status).toBe(404)
      expect((await ask({}, { accept, as: 'guest' })).status).toBe(401)
      expect(provider.requests).toHaveLength(0)
    },
  )

  it('responds with not found to other organizations', async () => {
    const foreign = await ask({}, { as: 'stranger' })
    const missing = await send('POST', `/v1/${orgId}/agents/nothing/chat`, { body: { prompt } })
    expect([foreign.status, missing.status]).toEqual([404, 404])
    const words = async (response: Response) => {
      const { instance: _, ...rest } = await response.json()
      return rest
    }
    expect(await words(foreign)).toEqual(await words(missing))
  })
})

describe('threads', () => {
  it('are listed, read, inspected and deleted', async () => {
    const { threadId, message } = await (await ask()).json()
    const list = await (await send('GET', `/v1/${orgId}/threads?page=1&limit=5`)).json()
    expect(list.threads).toMatchObject({
      docs: expect.any(Array),
      total: expect.any(Number),
      pages: expect.any(Number),
    })
    expect(list.threads.docs[0]).toMatchObject({
      id: threadId,
      meta_origin: 'https://ask.example',
      meta_user_agent: 'A test',
      agent: { name: 'Helper' },
    })
    expect(await (await send('GET', `/v1/${orgId}/threads?agentId=nothing`)).json()).toEqual({
      threads: { docs: [], total: 0, pages: 0 },
    })

    const path = `/v1/${orgId}/threads/${threadId}`
    expect((await (await send('GET', path)).json()).thread).not.toHaveProperty('messages')
    const { thread: whole } = await (await send('GET', `${path}?messages=true`)).json()
    expect(whole.messages).toMatchObject([{ role: 'user', content: prompt }, { id: message.id }])
    expect(await (await send('GET', `${path}/message/${message.id}/fragments`)).json()).toEqual({
      fragments: message.fragments,
    })

    for (const method of ['GET', 'DELETE']) expect((await send(method, path, { as: 'stranger' })).status).toBe(404)
    expect((await send('GET', `${path}/message/${message.id}/fragments`, { as: 'stranger' })).status).toBe(404)
    expect((await send('GET', `/v1/${orgId}/threads`, { as: 'stranger' })).status).toBe(404)
    expect((await send('DELETE', path)).status).toBe(403)
    expect((await send('DELETE', path, { as: 'admin' })).status).toBe(204)
    expect((await send('GET', path)).status).toBe(404)
  })
})
