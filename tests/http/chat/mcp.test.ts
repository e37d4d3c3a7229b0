import { request as httpRequest } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askResultSchema, catalogSchema, searchResultSchema } from '../../../contract/chat/mcp'
import { initialPlans, type PlanChange, unlimitedPlan } from '../../../contract/organizations/plan'
import { keyRates } from '../../../contract/values/limits'
import { problemSchema } from '../../../contract/views/problem'
import { organizations } from '../../../db/schema/organizations'
import { messages } from '../../../db/schema/threads'
import { usage } from '../../../db/schema/usage'
import { system } from '../../../server/actor'
import { type ApiWorld, type Caller, startApiWorld } from '../../support/api/api-world'
import { credentialOf } from '../../support/people/credentials'
import { createPerson } from '../../support/people/people'
import { until } from '../../support/until'

let world: ApiWorld
const clients: Client[] = []
const question = 'Which lamp is bright?'

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await world.app.db.write((tx) => tx.delete(usage))
  await planOf(unlimitedPlan)
})

async function connect(bearer: string | null): Promise<Client> {
  const headers = new Headers(bearer === null ? {} : { authorization: `Bearer ${bearer}` })
  const client = new Client({ name: 'a-client', version: '1' })
  clients.push(client)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${world.listening}/mcp`), { requestInit: { headers } }),
  )
  return client
}

const connectAs = (caller: Caller) => connect(world.credentials[caller].bearer)

async function callTool(client: Client, name: string, args: object = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...args } })) as CallToolResult
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

async function planOf(plan: string) {
  await world.app.db.write((tx) =>
    tx.update(organizations).set({ plan }).where(eq(organizations.id, world.own.organization)),
  )
}

/** Gives the own organization a plan with these limits alone. */
async function limitTo(change: PlanChange) {
  const { name: _, ...noLimits } = initialPlans.unlimited
  await world.app.services.plans.set(system, 'tested', { ...noLimits, ...change })
  await planOf('tested')
}

const used = () => world.app.services.organizations.usage(system, world.own.organization)

function post(body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${world.listening}/mcp`, {
    method: 'POST',
    ...(signal ? { signal } : {}),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${world.credentials['private-key'].bearer}`,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe("the protocol's client", () => {
  it('introduces itself and lists the tools with their schemas', async () => {
    const client = await connectAs('private-key')
    expect(client.getServerVersion()).toMatchObject({ name: 'sitelore' })
    expect(client.getInstructions()).toContain('list_sources')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'ask', 'list_sources'])
    for (const { inputSchema, outputSchema, description } of tools) {
      expect([inputSchema.type, outputSchema?.type, description !== '']).toEqual(['object', 'object', true])
    }
    expect(tools[0]?.inputSchema.required).toEqual(['query'])
  })

  it.each(['private-key', 'viewer', 'admin'] as const)('searches (%s)', async (caller) => {
    const client = await connectAs(caller)
    const agent = caller === 'private-key' ? {} : { agent: world.own.agent }
    const answer = await callTool(client, 'search', { query: 'bright lamp', limit: 3, ...agent })
    const { results } = searchResultSchema.parse(answer.structuredContent)
    expect(results.length).toBeGreaterThan(0)
    expect(results.length).toBeLessThanOrEqual(3)
    expect(results[0]).toMatchObject({ number: 1, link: expect.stringMatching(/^http/) })
    expect(textOf(answer)).toContain(`[1] ${results[0]?.title}\n${results[0]?.link}`)
    expect(await used()).toMatchObject({ searches: 1, api_requests: 1, messages: 0 })
  })

  it.each(['private-key', 'viewer'] as const)('asks, and goes on with the conversation (%s)', async (caller) => {
    const client = await connectAs(caller)
    const agent = caller === 'private-key' ? {} : { agent: world.own.agent }
    const answer = await callTool(client, 'ask', { question, ...agent })
    expect(answer.isError, textOf(answer)).toBeUndefined()
    const first = askResultSchema.parse(answer.structuredContent)
    expect(first.answer).toMatch(/\[1\]\(http/)
    expect(first.verdict).toBe('answered')
    const [citation] = first.citations
    expect(textOf(answer)).toContain(`Sources:\n[${citation?.number}] ${citation?.title}: ${citation?.link}`)
    const next = await callTool(client, 'ask', {
      question: 'And how heavy is it?',
      conversation: first.conversation,
      ...agent,
    })
    const second = askResultSchema.parse(next.structuredContent)
    expect(second.conversation).toBe(first.conversation)
    const threadId = first.conversation.split('.')[0] ?? ''
    expect(await world.app.db.read.$count(messages, eq(messages.threadId, threadId))).toBe(4)
    expect(await used()).toMatchObject({ messages: 2, api_requests: 2, searches: 0 })
  })

  it('lists the agent of a key, with the sources of its collection', async () => {
    const answer = await callTool(await connectAs('private-key'), 'list_sources')
    const { agents, collections } = catalogSchema.parse(answer.structuredContent)
    expect(agents).toMatchObject([
      { id: world.own.agent, status: 'Operational', collection: { id: world.own.collection } },
    ])
    expect(collections.map(({ id }) => id)).toEqual([world.own.collection])
    expect(collections[0]?.sources.map(({ url }) => url)).toContainEqual(expect.stringMatching(/^http/))
    expect(textOf(answer)).toContain(world.own.agent)
    expect(await used()).toMatchObject({ api_requests: 1 })
  })

  it('lists all organizations of a person, and one', async () => {
    const { own, foreign } = world
    const person = await createPerson(world.app, { [own.organization]: 'viewer', [foreign.organization]: 'admin' })
    const { bearer } = await credentialOf(world.app, person, own.organization)
    const client = await connect(bearer)
    const list = async (args: object) =>
      catalogSchema.parse((await callTool(client, 'list_sources', args)).structuredContent)
    const all = await list({})
    expect(all.agents.map(({ id }) => id).toSorted()).toEqual(
      [own.agent, world.sibling.agent, foreign.agent].toSorted(),
    )
    const first = await list({ organization: 'OTHER' })
    expect(first.agents.map(({ id }) => id)).toEqual([foreign.agent])
    expect(first.collections.map(({ organization }) => organization.name)).toEqual(['Other'])
  })

  it('searches a collection of a person, by id and by key', async () => {
    const args = { query: 'lamp', collection: world.own.collection }
    for (const caller of ['viewer', 'private-key'] as const) {
      const { structuredContent } = await callTool(await connectAs(caller), 'search', args)
      expect(searchResultSchema.parse(structuredContent).results.length).toBeGreaterThan(0)
    }
  })

  it('is told what to choose from where a token reaches several agents', async () => {
    const answer = await callTool(await connectAs('viewer'), 'ask', { question })
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toContain(world.own.agent)
    expect(textOf(answer)).toContain(world.sibling.agent)
  })
})

describe('what a credential does not reach', () => {
  it.each([
    ['search', { query: 'lamp' }],
    ['ask', { question }],
  ] as const)('%s neither finds agents of others, nor tells them from missing ones', async (tool, args) => {
    for (const caller of ['private-key', 'viewer', 'platform'] as const) {
      const client = await connectAs(caller)
      const otherApiIds = caller === 'platform' ? world.own : world.foreign
      for (const agent of [otherApiIds.agent, 'none']) {
        const answer = await callTool(client, tool, { ...args, agent })
        expect(answer.isError).toBe(true)
        expect(textOf(answer).replace(agent, '…')).toBe(
          "Not found: There is no agent '…', or this credential cannot access it. list_sources shows what it can access.",
        )
      }
    }
  })

  it('are other collections, organizations and conversations', async () => {
    const client = await connectAs('private-key')
    const searched = await callTool(client, 'search', { query: 'lamp', collection: world.sibling.collection })
    expect(searched.isError).toBe(true)
    expect((await callTool(client, 'list_sources', { organization: world.foreign.organization })).isError).toBe(true)
    for (const conversation of [world.own.thread, `${world.own.thread}.token`, '.', 'x'.repeat(300)]) {
      expect((await callTool(client, 'ask', { question, conversation })).isError, conversation).toBe(
        conversation !== '.' || undefined,
      )
    }
    const person = await connectAs('viewer')
    const conversation = world.foreign.thread
    expect((await callTool(person, 'ask', { question, agent: world.own.agent, conversation })).isError).toBe(true)
  })
})

describe('the door', () => {
  it.each(['guest', 'public-key', 'expired', 'revoked'] as const)('refuses the credential: %s', async (caller) => {
    await expect(connectAs(caller)).rejects.toThrow()
    const bearer = world.credentials[caller].bearer
    const response = await post(ping, { authorization: bearer === null ? '' : `Bearer ${bearer}` })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(problemSchema.parse(await response.json())).toMatchObject({ code: 'unauthenticated' })
  })

  it.each(['https://hostile.example', 'null', 'http://localhost:1', 'http://localhost.hostile.example'])(
    'refuses pages of other origins: %s',
    async (origin) => {
      for (const method of ['POST', 'OPTIONS', 'GET']) {
        const response = await fetch(`${world.listening}/mcp`, { method, headers: { origin } })
        expect(response.status).toBe(403)
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
        expect(problemSchema.parse(await response.json())).toMatchObject({ code: 'forbidden' })
      }
    },
  )

  it('takes calls of its own origin, and opens none of them to other pages', async () => {
    const response = await post(ping, { origin: world.origin })
    expect(response.status).toBe(200)
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('answers other hosts with 421', async () => {
    const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const { hostname, port } = new URL(world.listening)
      const headers = { host: 'rebound.example', 'content-type': 'application/json' }
      const sent = httpRequest({ hostname, port, path: '/mcp', method: 'POST', headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      })
      sent.on('error', reject).end(JSON.stringify(ping))
    })
    expect(status).toBe(421)
    expect(problemSchema.parse(JSON.parse(body)).message).toContain(`${world.origin}/mcp`)
  })

  it.each([
    ['no JSON', '{', 400],
    ['a list of messages', [ping, ping], 400],
    ['no message of the protocol', { hello: 1 }, 400],
    ['too large a message', { ...ping, params: { text: 'x'.repeat(2 ** 20) } }, 413],
  ])('refuses %s', async (_what, body, status) => {
    expect((await post(body)).status).toBe(status)
  })

  it('has no stream of its own, and no sessions to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${world.listening}/mcp`, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    }
  })

  it.each([
    ['search', { query: '' }],
    ['search', { query: 'lamp', limit: 26 }],
    ['search', { query: 'x'.repeat(10_001) }],
    ['ask', { question: ' ' }],
    ['ask', { question: 'x'.repeat(3_000) }],
    ['nothing', {}],
  ])('names what is wrong with a call of %s', async (tool, args) => {
    const answer = await callTool(await connectAs('private-key'), tool, args)
    expect([answer.isError, textOf(answer) !== '']).toEqual([true, true])
  })
})

describe('limits', () => {
  it('of the plan are reported as the result of the tool', async () => {
    await limitTo({ searches: 1, messages: 1 })
    const client = await connectAs('private-key')
    await callTool(client, 'search', { query: 'lamp' })
    expect(textOf(await callTool(client, 'search', { query: 'lamp' }))).toContain('Your plan allows 1 search a month')
    await callTool(client, 'ask', { question })
    const refused = await callTool(client, 'ask', { question })
    expect([refused.isError, textOf(refused).includes('Chat API usage limit reached')]).toEqual([true, true])
    // Calls that were refused do not count.
    await limitTo({ api_requests: 3 })
    await callTool(client, 'list_sources')
    expect(textOf(await callTool(client, 'list_sources'))).toContain('Usage limit reached')
  })

  it('of requests a minute apply to each message', async () => {
    const ref = { organizationId: world.own.organization, agentId: world.sibling.agent }
    const { private_key: key } = await world.app.services.keychains.save(system, ref, {
      regenerate: false,
      rateLimit: 2,
    })
    const send = () => post(ping, { authorization: `Bearer ${key}` })
    const responses = [await send(), await send(), await send()]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(responses[0]?.headers.get('ratelimit')).toMatch(/^"key";r=1;t=/)
    expect(Number(responses[2]?.headers.get('retry-after'))).toBeGreaterThan(0)
    await world.app.services.keychains.save(system, ref, { regenerate: false, rateLimit: keyRates.max })
  })
})

describe('a call that ends early', () => {
  const slow = { kind: 'answer', text: 'word '.repeat(200), chunkDelayMs: 50 } as const

  /** Starts a slow answer; resolves once the model is being asked. */
  async function begin(start: () => Promise<unknown>) {
    const before = world.provider.requests.length
    world.provider.next(slow)
    const call = start().catch((error: unknown) => error)
    await until(() => world.provider.requests.length > before)
    return { call, request: world.provider.requests[before] }
  }

  it('stops the model when the client cancels it, and only then', async () => {
    const [client, otherClient] = [await connectAs('private-key'), await connectAs('private-key')]
    const [cancelling, staying] = [new AbortController(), new AbortController()]
    const ask = (who: Client, signal: AbortSignal) => () =>
      who.callTool({ name: 'ask', arguments: { question } }, undefined, { signal })
    const { request, call } = await begin(ask(client, cancelling.signal))
    const kept = await begin(ask(otherClient, staying.signal))
    let isKeptClosed = false
    void kept.request?.closed.then(() => (isKeptClosed = true))
    // Both clients number their requests alike.
    cancelling.abort('not needed any more')
    await request?.closed
    expect(await call).toBeInstanceOf(Error)
    await otherClient.ping()
    expect(isKeptClosed).toBe(false)
    staying.abort()
    await kept.request?.closed
    await kept.call
  })

  it('stops the model when the client disconnects, and closes the question', async () => {
    const leave = new AbortController()
    const message = { ...ping, method: 'tools/call', params: { name: 'ask', arguments: { question } } }
    const { request, call } = await begin(() => post(message, {}, leave.signal))
    leave.abort()
    await call
    await request?.closed
    await until(async () => (await world.app.db.read.$count(messages, isNotNull(messages.leasedUntil))) === 0)
  })
})
