import { afterEach, beforeEach, expect, it } from 'vitest'
import { system } from '../../server/actor'
import { stopServing } from '../../server/stop'
import { startTestWorkers } from '../support/app'
import { issueToken } from '../support/people/access-token'
import { createPerson } from '../support/people/people'
import { type Provider, startProvider } from '../support/providers/provider'
import { lampQuestions } from '../support/sites/lamp-pages'
import { lampSite } from '../support/sites/site'
import { apiRoutes } from '../support/web/api-routes'
import { startWebSite, type WebSite } from '../support/web/web-site'

const prompt = lampQuestions[0]?.question ?? ''
let provider: Provider
let site: WebSite
let orgId: string
let url: string
let headers: Record<string, string>

beforeEach(async () => {
  provider = await startProvider()
  const environment = {
    OPENAI_API_KEY: 'key-of-the-test',
    OPENAI_BASE_URL: provider.baseUrl,
    CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
    CRAWL_DELAY_MS: '0',
  }
  site = await startWebSite(apiRoutes, environment)
  const { app } = site
  const lamps = await lampSite()
  const runner = await startTestWorkers(app)
  orgId = (await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })).id
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
  const token = await issueToken(app, (await createPerson(app, { [orgId]: 'viewer' })).email)
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  url = `${site.origin}/v1/${orgId}/agents/${agent.id}/chat`
})
afterEach(async () => {
  await site.close()
  await provider.close()
})

const ask = (accept: string) =>
  fetch(url, { method: 'POST', headers: { ...headers, accept }, body: JSON.stringify({ prompt }) })

it('a server that stops ends its streams with an event, and stores the partial text', async () => {
  provider.next({ kind: 'stall', words: 3 })
  const runner = await startTestWorkers(site.app)
  const response = await ask('text/event-stream')
  let received = ''
  let stopped: Promise<void> | undefined
  for await (const part of response.body ?? []) {
    received += new TextDecoder().decode(part)
    if (!stopped && (received.match(/event: text-delta/g) ?? []).length === 3)
      stopped = stopServing(site.server, site.app.services.chat, runner)
  }
  await stopped
  const events = received.trim().split('\n\n')
  const last = events.at(-1) ?? ''
  expect(last).toContain('event: answer-error')
  const { message, partial, threadId } = JSON.parse(last.slice(last.indexOf('data: ') + 6))
  expect(message).toBe('The server is stopping. Ask again in a moment.')
  expect(partial).toMatchObject({ status: 0, status_message: 'Stopped before the end of the answer.' })
  expect(partial.content.split(' ')).toHaveLength(3)
  const thread = await site.app.services.threads.get(system, { organizationId: orgId, threadId })
  expect(thread.messages.at(-1)).toEqual(partial)
  await expect(ask('application/json')).rejects.toThrow()
})

it.each([10, 20])('ends each of 20 streams with an event, stopped when %i have text', async (withText) => {
  for (let count = 0; count < 20; count++)
    provider.next({ kind: 'answer', text: 'Lamps are bright. '.repeat(50), chunkDelayMs: 20 })
  const runner = await startTestWorkers(site.app)
  let started = 0
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= stopServing(site.server, site.app.services.chat, runner)
  }
  const read = async () => {
    const response = await ask('text/event-stream')
    let received = ''
    for await (const part of response.body ?? []) {
      const isFirst = !received.includes('event: text-delta')
      received += new TextDecoder().decode(part)
      if (isFirst && received.includes('event: text-delta')) started++
      if (started >= withText) stop()
    }
    return { status: response.status, last: /event: ([\w-]+)(?![\s\S]*event: )/.exec(received)?.[1] ?? received }
  }
  const ends = await Promise.all(Array.from({ length: 20 }, read))
  await stopped
  // A question that came too late is refused.
  for (const { status, last } of ends) expect(status === 503 ? 'answer-error' : last).toBe('answer-error')
  expect(ends.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(withText)
})
