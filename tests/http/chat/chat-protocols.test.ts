import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initialPlans } from '../../../contract/organizations/plan'
import { type Provider as ProviderName, providers } from '../../../contract/values/enumerations'
import { agentViewSchema } from '../../../contract/views/chat/agent'
import { messageViewSchema, publishedThreadViewSchema, threadViewSchema } from '../../../contract/views/chat/thread'
import { system } from '../../../server/actor'
import { addUse } from '../../../server/services/usage/quota'
import { startTestWorkers } from '../../support/app'
import { issueToken } from '../../support/people/access-token'
import { createPerson } from '../../support/people/people'
import { type Provider, startProvider } from '../../support/providers/provider'
import { lampQuestions } from '../../support/sites/lamp-pages'
import { lampSite } from '../../support/sites/site'
import { until } from '../../support/until'
import { apiRoutes } from '../../support/web/api-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

// The same conversation over HTTP, with the server of each provider's own protocol.

const key = 'key-of-the-test'
const { question = '', path: answeringPath } = lampQuestions[0] ?? {}
let provider: Provider
let site: WebSite
let token: string
let organizationId: string
const agents = new Map<ProviderName, string>()

beforeAll(async () => {
  provider = await startProvider({ keys: [key] })
  const settings = providers.flatMap((name) => {
    const prefix = name.toUpperCase()
    return [
      [`${prefix}_API_KEY`, key],
      [`${prefix}_BASE_URL`, provider.baseUrls[name]],
    ]
  })
  const routes = {
    ...apiRoutes,
  }
  site = await startWebSite(routes, {
    ...Object.fromEntries(settings),
    CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
    CRAWL_DELAY_MS: '0',
  })
  const { services } = site.app
  const lamps = await lampSite()
  const runner = await startTestWorkers(site.app)
  organizationId = (await services.organizations.create(system, { name: 'Fennel', entity_name: '' })).id
  const { id: collectionId } = await services.collections.create(system, organizationId, { name: 'L', description: '' })
  const source = { type: 'domain', name: '', url: lamps.origin } as const
  await services.sources.create(system, { organizationId, collectionId }, source)
  await runner.idle()
  await runner.stop()
  await lamps.close()
  for (const name of providers) {
    const agent = await services.agents.create(system, organizationId, { name, description: '', useDefaults: false })
    const ref = { organizationId, agentId: agent.id }
    await services.agents.link(system, ref, { collectionId })
    await services.agents.saveSettings(system, ref, { provider: name, model: 'some-model' })
    agents.set(name, agent.id)
  }
  token = await issueToken(site.app, (await createPerson(site.app, { [organizationId]: 'admin' })).email)
})
afterAll(async () => {
  await site.close()
  await provider.close()
})

function send(method: string, path: string, body?: object, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more }
  return fetch(site.origin + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
}

describe.each(providers)('the chat of an agent of %s', (name) => {
  const agentPath = () => `/v1/${organizationId}/agents/${agents.get(name)}`
  async function ask(prompt: string, threadId?: string) {
    const response = await send('POST', `${agentPath()}/chat`, { prompt, ...(threadId ? { threadId } : {}) })
    const answer = await response.json()
    return { status: response.status, answer, message: messageViewSchema.safeParse(answer.message).data }
  }

  it('answers a first question and a follow-up with citations', async () => {
    const first = await ask(question)
    expect(first.status, JSON.stringify(first.answer)).toBe(200)
    expect(first.message).toMatchObject({
      role: 'agent',
      provider: name,
      model: 'some-model',
      verdict: 'answered',
      status: 2,
    })
    expect(first.message?.content).toMatch(/\[1\]\(http/)
    expect(first.message?.content).not.toContain('<<')
    expect(first.message?.tokens_input).toBeGreaterThan(0)
    expect(new URL(first.answer.fragments[0].url).pathname).toBe(answeringPath)

    const second = await ask('And how long does it take?', first.answer.threadId)
    expect(second.status).toBe(200)
    expect(second.message?.query).toContain(question)
    expect(provider.requests.at(-1)?.messages.length).toBeGreaterThan(2)
  })

  it('answers a greeting without a model', async () => {
    const before = provider.requests.length
    expect((await ask('Hello!')).message).toMatchObject({ status: 2, model: null, fragments: [] })
    expect(provider.requests).toHaveLength(before)
  })

  it('says what the fragments do not answer', async () => {
    const { message } = await ask('Zebra quantum tax declaration?')
    expect(message).toMatchObject({ role: 'agent', status: 2, verdict: 'not-found', cited: [] })
  })

  it('keeps what was written when the reader stops it', async () => {
    provider.next({ kind: 'stall', words: 3 })
    const response = await send('POST', `${agentPath()}/chat`, { prompt: question }, { accept: 'text/event-stream' })
    let events = ''
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      events += part
      if (events.includes('text-delta')) break
    }
    const threadId = /"threadId":"([^"]+)"/.exec(events)?.[1]
    const answerOf = async () => {
      const { thread } = await (await send('GET', `/v1/${organizationId}/threads/${threadId}?messages=true`)).json()
      return threadViewSchema.parse(thread).messages?.find(({ role }) => role === 'agent')
    }
    await until(async () => (await answerOf())?.status_message === 'Stopped before the end of the answer.')
    expect((await answerOf())?.content).not.toBe('')
  })

  it('shows strangers a shared thread with its answer, and not the provider', async () => {
    const { answer, message } = await ask(question)
    const path = `/v1/public/${organizationId}/threads/${answer.threadId}/share`
    expect((await send('POST', path)).status).toBe(200)
    const read = await fetch(`${site.origin}/v1/public/threads/published/${answer.threadId}`)
    const { thread } = await read.json()
    expect(publishedThreadViewSchema.parse(thread).messages.at(-1)?.content).toBe(message?.content)
    expect(JSON.stringify(thread.messages)).not.toContain('some-model')
  })

  // contract 8b.2: A flagged message gets 422
  it('rejects a flagged message', async () => {
    const { status, answer } = await ask('Something harmful.')
    expect({ status, title: answer.title }).toEqual({ status: 422, title: 'Your prompt was flagged by Moderation API' })
  })

  it('marks an agent whose key is refused, and clears the mark with another key', async () => {
    const statusOf = async () => {
      const { agent } = await (await send('GET', agentPath())).json()
      return agentViewSchema.parse(agent).status
    }
    await send('PUT', agentPath(), { provider_key: 'a-wrong-key' })
    const refused = await ask(question)
    expect(refused.status).toBe(502)
    expect(refused.answer.message).toMatch(/rejected the API key\. Save a valid key in Agent Settings\.$/)
    expect(await statusOf()).toBe(8)
    await send('PUT', agentPath(), { provider_key: key })
    expect(await statusOf()).toBe(4)
    expect((await ask(question)).status).toBe(200)
  })
})

describe('an organization whose plan is used up', () => {
  beforeAll(async () => {
    await site.app.services.plans.assign(system, organizationId, 'free')
    await site.app.db.write((tx) => addUse(tx, organizationId, 'messages', initialPlans.free.messages))
  })

  it.each(providers)('gets no answer from an agent of %s', async (name) => {
    const before = provider.requests.length
    const response = await send('POST', `/v1/${organizationId}/agents/${agents.get(name)}/chat`, { prompt: question })
    expect(await response.json()).toMatchObject({ code: 'quota_exceeded', status: response.status })
    expect(provider.requests).toHaveLength(before)
  })
})
