import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { widgetSnippet } from '../../contract/texts/widget-snippet'
import { type AgentStatus, agentStatuses } from '../../contract/values/enumerations'
import type { DiagnosisEvent } from '../../contract/views/chat/embed-diagnosis'
import { type Actor, system } from '../../server/actor'
import { createSafeFetch } from '../../server/adapters/fetch/safe-fetch'
import { createSlidingWindow } from '../../server/adapters/sliding-window'
import type { Fetcher, FetchOutcome } from '../../server/engine/ports/fetcher'
import type { AgentRef } from '../../server/services/agents/agents'
import { createFairTurns } from '../../server/services/usage/fair-turns'
import { createEmbedDoctor } from '../../server/services/widget/embed-doctor'
import { type Site, startSite } from '../support/sites/site'
import { startWebSite, type WebSite } from '../support/web/web-site'

/** Answers as the site does, at an address that is encrypted. */
const encrypted = 'https://shop.example'

describe('the embed doctor', () => {
  let server: WebSite
  let site: Site
  let proxy: Server
  let proxyOrigin = ''
  let ref: AgentRef
  let key = ''
  let formerKey = ''
  let status: AgentStatus = agentStatuses.operational
  let fetcher: Fetcher & { close(): Promise<void> }
  let doctor: ReturnType<typeof createEmbedDoctor>
  const widgetHashes: Record<string, string> = JSON.parse(
    readFileSync(new URL('../../build/widget/integrity.json', import.meta.url), 'utf8'),
  )

  beforeAll(async () => {
    server = await startWebSite({ 'v1/public/stream-test': await import('../../app/routes/v1+/public+/stream-test') })
    site = await startSite({})
    proxy = await startBufferingProxy(server)
    proxyOrigin = `http://localhost:${(proxy.address() as AddressInfo).port}`
    const { organizations, agents, keychains } = server.app.services
    const organizationId = (await organizations.create(system, { name: 'Fennel', entity_name: '' })).id
    const named = { name: 'Lamp helper', description: '', useDefaults: false }
    ref = { organizationId, agentId: (await agents.create(system, organizationId, named)).id }
    formerKey = (await keychains.save(system, ref, { regenerate: false })).public_key
    key = (await keychains.save(system, ref, { regenerate: 'public' })).public_key
    fetcher = createSafeFetch({
      allowPrivateNetworks: ['127.0.0.1'],
      userAgent: 'Sitelore test',
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    doctor = doctorWith({})
  })
  afterAll(async () => {
    await fetcher.close()
    proxy.close()
    await site.close()
    await server.close()
  })

  function doctorWith({ perMinute = 1_000, fetch = fetcher.fetch }: { perMinute?: number; fetch?: Fetcher['fetch'] }) {
    return createEmbedDoctor({
      db: server.app.db,
      fetcher: { fetch: (request, signal) => asEncrypted(fetch, request, signal) },
      publicUrl: server.origin,
      agents: {
        get: async (actor, agent) => ({ ...(await server.app.services.agents.get(actor, agent)), status }),
      },
      turns: createFairTurns('checks', { concurrency: 4, perOrganization: 1, maxWaiting: 1, retryAfterSeconds: 1 }),
      rate: { window: createSlidingWindow({ max: perMinute, windowMs: 60_000 }), perMinute },
    })
  }

  async function asEncrypted(fetch: Fetcher['fetch'], ...[request, signal]: Parameters<Fetcher['fetch']>) {
    if (!request.url.startsWith(encrypted)) return fetch(request, signal)
    const outcome: FetchOutcome = await fetch({ ...request, url: request.url.replace(encrypted, site.origin) }, signal)
    return outcome.kind === 'fetched' ? { ...outcome, url: outcome.url.replace(site.origin, encrypted) } : outcome
  }

  const tag = (given: { key?: string; from?: string; attributes?: string } = {}) =>
    widgetSnippet(given.from ?? server.origin, given.key ?? key).replace(' async', ` ${given.attributes ?? ''} async`)
  const pageWith = (body: string) => `<!doctype html><title>Lamps</title><p>All of our lamps.</p>${body}`

  async function eventsOf(address: string, by: Actor = system): Promise<DiagnosisEvent[]> {
    const events: DiagnosisEvent[] = []
    const request = { site: address, widgetHashes }
    for await (const event of await doctor.diagnose(by, ref, request, new AbortController().signal)) events.push(event)
    return events
  }

  async function diagnose(address = `${site.origin}/`) {
    const end = (await eventsOf(address)).at(-1)
    if (end?.kind !== 'diagnosed') throw new Error(JSON.stringify(end))
    const { url, origin, findings } = end.diagnosis
    const problems = findings.filter(({ state }) => state === 'problem')
    const unknown = findings.filter(({ state }) => state === 'unknown').map(({ check }) => check)
    return {
      url,
      origin,
      problems: problems.map(({ problem }) => problem),
      messages: problems.map((one) => one.message),
      unknown,
    }
  }

  it('finds nothing wrong with the snippet on a page, and says what it does', async () => {
    site.set('/', pageWith(tag()))
    const events = await eventsOf(`${site.origin}/`)
    expect(events.slice(0, -1)).toEqual(['page', 'script', 'stream'].map((step) => ({ kind: 'step', step })))
    expect(await diagnose()).toEqual({
      url: `${site.origin}/`,
      origin: site.origin,
      problems: [],
      messages: [],
      unknown: [],
    })
  })

  const policy = (text: () => string) => () => ({
    headers: { 'content-security-policy': text() },
    body: pageWith(tag()),
  })
  const brokenSites: {
    what: string
    page: () => string | { headers: Record<string, string>; body: string }
    problem: string
    message: () => string
    origin?: string
    prepare?: () => Promise<unknown>
    restore?: () => Promise<unknown>
  }[] = [
    {
      what: 'no tag',
      page: () => pageWith(''),
      problem: 'no-tag',
      message: () => 'paste the tag above before the end of its body',
    },
    {
      what: 'a wrong key',
      page: () => pageWith(tag({ key: 'sitelore_public_of_nobody' })),
      problem: 'wrong-key',
      message: () => 'replace it with the key from the tag above',
    },
    {
      what: 'a regenerated key',
      page: () => pageWith(tag({ key: formerKey })),
      problem: 'regenerated-key',
      message: () => 'stopped working when the keys were regenerated',
    },
    {
      what: 'an origin that is not allowed',
      page: () => pageWith(tag()),
      problem: 'origin-not-allowed',
      message: () => `The public key does not accept pages of ${site.origin}: add this origin to the allowed ones.`,
      prepare: () => allow('https://lamps.example'),
      restore: () => allow(''),
    },
    {
      what: 'a policy without the script',
      page: policy(() => `script-src 'self'; connect-src ${server.origin}`),
      problem: 'script-blocked',
      message: () => `add ${server.origin} to script-src.`,
    },
    {
      what: 'a policy without the calls',
      page: policy(() => `default-src 'self'; script-src ${server.origin}`),
      problem: 'calls-blocked',
      message: () => `add the directive connect-src 'self' ${server.origin}.`,
    },
    {
      what: 'an unencrypted widget on an encrypted page',
      page: () => pageWith(tag({ from: 'http://ask.example.com' })),
      origin: encrypted,
      problem: 'mixed-content',
      message: () => 'over http from http://ask.example.com, which browsers block',
    },
    {
      what: 'another PUBLIC_URL',
      page: () => pageWith(tag({ from: server.listening })),
      problem: 'wrong-public-url',
      message: () => `or set PUBLIC_URL=${server.listening} and restart the server.`,
    },
    {
      what: 'a proxy that buffers',
      page: () => pageWith(tag({ from: proxyOrigin })),
      problem: 'buffered',
      message: () => 'turn off its response buffering for /v1',
    },
    {
      what: 'an agent that cannot answer',
      page: () => pageWith(tag()),
      problem: 'agent-silent',
      message: () => 'because it needs a provider API key: enter one in Agent Settings.',
      prepare: async () => {
        status = agentStatuses.noProviderKey
      },
      restore: async () => {
        status = agentStatuses.operational
      },
    },
  ]

  function allow(allowedOrigins: string) {
    return server.app.services.keychains.save(system, ref, { regenerate: false, allowedOrigins })
  }

  it.each(brokenSites)('finds $what', async ({ page, problem, message, origin, prepare, restore }) => {
    await prepare?.()
    site.set('/', page())
    const found = await diagnose(`${origin ?? site.origin}/`)
    await restore?.()
    expect(found.problems.filter((one) => one !== 'script-unreachable')).toEqual([problem])
    expect(found.messages.join(' ')).toContain(message())
  })

  it('takes the origin after redirects', async () => {
    const moved = await startSite({ '/': { status: 301, headers: { location: `${site.origin}/` } } })
    site.set('/', pageWith(tag()))
    await allow(moved.origin)
    expect(await diagnose(`${moved.origin}/`)).toMatchObject({
      url: `${site.origin}/`,
      origin: site.origin,
      problems: ['origin-not-allowed'],
    })
    await allow('')
    await moved.close()
  })

  it.each([
    ['a page that is missing', { status: 404, body: '' }, 'responds with the status 404.'],
    ['something else than a page', { headers: { 'content-type': 'image/png' }, body: 'x' }, 'is not a web page.'],
  ])('says so of %s', async (_, page, message) => {
    site.set('/', page)
    expect((await eventsOf(`${site.origin}/`)).at(-1)).toEqual({
      kind: 'failed',
      message: `${site.origin}/ ${message}`,
    })
  })

  it('reads no page of a private network that is not allowed', async () => {
    const end = (await eventsOf('http://10.1.2.3/')).at(-1)
    expect(end).toMatchObject({ kind: 'failed', message: expect.stringContaining('private') })
  })

  it('is for those who may edit the keys, and for as many pages a minute', async () => {
    const memberships = [{ organizationId: ref.organizationId, role: 'member' as const }]
    const member = { kind: 'person' as const, userId: 'somebody', staff: false, memberships }
    await expect(eventsOf(`${site.origin}/`, member)).rejects.toMatchObject({ code: 'forbidden' })
    const limited = doctorWith({ perMinute: 1 })
    const ask = () => limited.diagnose(system, ref, { site: site.origin, widgetHashes }, new AbortController().signal)
    await ask()
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('ends at once when it is cancelled', async () => {
    site.set('/', { delayMs: 'never' })
    const cancelled = new AbortController()
    const events = await doctor.diagnose(system, ref, { site: `${site.origin}/`, widgetHashes }, cancelled.signal)
    expect((await events.next()).value).toEqual({ kind: 'step', step: 'page' })
    const next = events.next()
    cancelled.abort()
    await expect(next).rejects.toMatchObject({ name: 'AbortError' })
    // Its turn is over.
    site.set('/', pageWith(tag()))
    expect((await diagnose()).problems).toEqual([])
  })
})

/** A proxy that sends each response when it is complete, to the server as the host that it expects. */
async function startBufferingProxy(to: WebSite): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', to.listening)
    const headers = { ...incoming.headers, host: new URL(to.origin).host }
    const forwarded = httpRequest(url, { method: incoming.method, headers }, async (response: IncomingMessage) => {
      const body = await buffer(response)
      const { 'transfer-encoding': _, ...kept } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, kept).end(body)
    })
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}
