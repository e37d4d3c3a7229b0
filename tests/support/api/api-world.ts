import type { Server } from 'node:http'
import { Readable } from 'node:stream'
import { eq, getTableColumns } from 'drizzle-orm'
import { keyRates } from '../../../contract/values/limits'
import { accessTokens } from '../../../db/schema/access-tokens'
import { addresses, fragments, visits } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { auditEvents } from '../../../db/schema/audit'
import { collections, modelChanges, runs, sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import { jobs } from '../../../db/schema/jobs'
import { keychains } from '../../../db/schema/keychains'
import { invitations, members, organizations } from '../../../db/schema/organizations'
import { messages, threads } from '../../../db/schema/threads'
import { usage } from '../../../db/schema/usage'
import { accounts, links, passkeys, users } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { startTestWorkers } from '../app'
import { type Credential, credentialOf, expiredCredential, revokedCredential } from '../people/credentials'
import { createPerson } from '../people/people'
import { type Provider, startProvider } from '../providers/provider'
import { lampSite } from '../sites/site'
import { apiRoutes } from '../web/api-routes'
import type { RouteNode } from '../web/route-tree'
import { startWebSite } from '../web/web-site'
import type { ApiIds } from './api-endpoint'

/**
 * The platform's administrator is an administrator of another organization, as the stranger is. The keys are those of the
 * own agent. What is expired or revoked belonged to the admin.
 */
export const callers = [
  'guest',
  'stranger',
  'platform',
  'viewer',
  'member',
  'admin',
  'public-key',
  'private-key',
  'expired',
  'revoked',
] as const
export type Caller = (typeof callers)[number]

export interface ApiResponse {
  status: number
  headers: Headers
  text: string
  /** The parsed body; null where it is empty or a stream. */
  body: unknown
  /** Of a stream of server-sent events, which has ended. */
  events: { event: string; data: unknown }[]
}

export interface ApiWorld {
  app: App
  /** The address of the site, and where it really listens. */
  origin: string
  listening: string
  server: Server
  /** Of the model, which can be told what to answer. */
  provider: Provider
  /** What a caller sends to prove who they are; nothing for the guest. */
  credentials: Record<Caller, Credential>
  /** Of the organization in which viewer, member and admin are. */
  own: ApiIds
  /** Of another organization, where each of them is there, too. */
  foreign: ApiIds
  /** Of the own organization, yet another collection, agent and thread. */
  sibling: ApiIds
  send(
    caller: Caller,
    method: string,
    path: string,
    init?: { headers?: HeadersInit; body?: BodyInit },
  ): Promise<ApiResponse>
  sendJson(caller: Caller, method: string, path: string, body?: unknown): Promise<ApiResponse>
  /** The same ids with one new thing, which may be used up. */
  renewed(ids: ApiIds, what: keyof ApiIds): Promise<ApiIds>
  /** Everything that is stored, to be compared. */
  stored(): Promise<string>
  close(): Promise<void>
}

/** All of /v1 and /mcp on 127.0.0.1, or other routes, with two organizations that have something of everything. */
export async function startApiWorld(routes?: RouteNode[], environment: Record<string, string> = {}): Promise<ApiWorld> {
  const provider = await startProvider({ keys: ['key-of-the-test'] })
  const site = await startWebSite(routes ?? apiRoutes, {
    OPENAI_API_KEY: 'key-of-the-test',
    OPENAI_BASE_URL: provider.baseUrl,
    CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
    CRAWL_DELAY_MS: '0',
    // Some tests try every call in dozens of ways within a minute.
    API_REQUESTS_PER_MINUTE: '100000',
    PUBLIC_REQUESTS_PER_MINUTE: '100000',
    ...environment,
  })
  const { app } = site
  const [own, sibling, foreign] = await furnish(app)
  const home = own.organization
  const elsewhere = { [foreign.organization]: 'admin' } as const
  const people = {
    stranger: await createPerson(app, elsewhere),
    platform: await createPerson(app, elsewhere, { staff: true }),
    viewer: await createPerson(app, { [home]: 'viewer' }),
    member: await createPerson(app, { [home]: 'member' }),
    admin: await createPerson(app, { [home]: 'admin' }),
  }
  const agent = { organizationId: home, agentId: own.agent }
  const keys = await app.services.keychains.save(system, agent, { regenerate: false, rateLimit: keyRates.max })
  const credentials: Record<Caller, Credential> = {
    guest: { bearer: null, cookie: null },
    stranger: await credentialOf(app, people.stranger, foreign.organization),
    platform: await credentialOf(app, people.platform, foreign.organization),
    viewer: await credentialOf(app, people.viewer, home),
    member: await credentialOf(app, people.member, home),
    admin: await credentialOf(app, people.admin, home),
    'public-key': { bearer: keys.public_key, cookie: null },
    'private-key': { bearer: keys.private_key, cookie: null },
    expired: await expiredCredential(app, people.admin, home),
    revoked: await revokedCredential(app, people.admin, home),
  }

  async function send(
    caller: Caller,
    method: string,
    path: string,
    init: { headers?: HeadersInit; body?: BodyInit } = {},
  ) {
    const headers = new Headers(init.headers)
    const { bearer } = credentials[caller]
    if (bearer && !headers.has('authorization')) headers.set('authorization', `Bearer ${bearer}`)
    const response = await fetch(site.listening + path, { ...init, method, headers, redirect: 'manual' })
    const text = await response.text()
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
    const events = eventsIn(response, text)
    const body = isJson && text ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, body, events }
  }

  return {
    app,
    origin: site.origin,
    listening: site.listening,
    server: site.server,
    provider,
    credentials,
    own,
    foreign,
    sibling,
    send,
    sendJson: (caller, method, path, body) =>
      send(caller, method, path, body === undefined ? {} : jsonInit(JSON.stringify(body))),
    renewed: async (ids, what) => ({ ...ids, [what]: await make(app, ids, what) }),
    stored: () => dump(app),
    async close() {
      await site.close()
      await provider.close()
    },
  }
}

export function jsonInit(body: BodyInit): { headers: HeadersInit; body: BodyInit } {
  return { headers: { 'content-type': 'application/json' }, body }
}

function eventsIn({ headers }: Response, text: string): ApiResponse['events'] {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return []
  return [...text.matchAll(/^event: (.+)\ndata: (.+)\n\n/gm)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data),
  }))
}

async function furnish(app: App): Promise<[ApiIds, ApiIds, ApiIds]> {
  const lamps = await lampSite()
  const home = (await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })).id
  const otherText = (await app.services.organizations.create(system, { name: 'Other', entity_name: '' })).id
  const begun = [
    await begin(app, home, lamps.origin),
    await begin(app, home, lamps.origin),
    await begin(app, otherText, lamps.origin),
  ] as const
  const runner = await startTestWorkers(app)
  await runner.idle()
  await runner.stop()
  await lamps.close()
  const [own, sibling, foreign] = begun
  return [await finish(app, own), await finish(app, sibling), await finish(app, foreign)]
}

type Begun = Pick<ApiIds, 'organization' | 'collection' | 'source' | 'agent'>

async function begin(app: App, organization: string, origin: string): Promise<Begun> {
  const collection = await make(app, { organization } as ApiIds, 'collection')
  const { id: source } = await app.services.sources.create(
    system,
    { organizationId: organization, collectionId: collection },
    {
      type: 'url',
      name: '',
      url: `${origin}/`,
    },
  )
  const agent = await make(app, { organization } as ApiIds, 'agent')
  await app.services.agents.link(system, { organizationId: organization, agentId: agent }, { collectionId: collection })
  return { organization, collection, source, agent }
}

async function finish(app: App, begun: Begun): Promise<ApiIds> {
  const upload = await uploadTo(app, begun)
  const [address] = await app.db.read.select().from(addresses).where(eq(addresses.sourceId, begun.source))
  if (!address || address.fragments === 0) throw new Error(`Nothing was read: ${address?.message}`)
  const meta = { origin: null, ip: null, userAgent: null }
  const input = { prompt: 'Which lamp is bright?' }
  const signal = new AbortController().signal
  for await (const event of app.services.chat.reply(
    system,
    { organizationId: begun.organization, agentId: begun.agent },
    input,
    meta,
    signal,
  )) {
    if (event.type !== 'answer-end') continue
    const { threadId } = event
    await app.services.sharedThreads.share(system, { organizationId: begun.organization, threadId })
    const person = await make(app, begun as ApiIds, 'person')
    const invitation = await make(app, begun as ApiIds, 'invitation')
    const content = { upload, address: address.id, thread: threadId, message: event.message.id }
    return { ...begun, ...content, person, invitation }
  }
  throw new Error('The chat did not answer.')
}

async function uploadTo(app: App, { organization, collection }: Begun): Promise<string> {
  const ref = { organizationId: organization, collectionId: collection }
  const receive = await app.services.fileSources.receiver(system, ref)
  const file = await receive('prices.csv', Readable.from([Buffer.from('lamp,price\nStorm 40,12\n')]))
  return (await app.services.fileSources.create(system, ref, { name: '' }, file)).id
}

async function make(app: App, { organization, collection, agent }: ApiIds, what: keyof ApiIds): Promise<string> {
  const named = { name: 'Of the test', description: '' }
  switch (what) {
    case 'collection':
      return (await app.services.collections.create(system, organization, named)).id
    case 'agent':
      return (await app.services.agents.create(system, organization, { ...named, useDefaults: true })).id
    case 'source': {
      const input = { type: 'url', name: '', url: `https://lamps.example/${crypto.randomUUID()}` } as const
      const { id } = await app.services.sources.create(
        system,
        { organizationId: organization, collectionId: collection },
        input,
      )
      // In the middle of its first run: nobody works here.
      await app.db.write(async (tx) => {
        await tx.update(sources).set({ status: 'crawling' }).where(eq(sources.id, id))
        await tx.update(runs).set({ discoveredAt: new Date() }).where(eq(runs.sourceId, id))
      })
      return id
    }
    case 'address': {
      const ids = { organization, collection, agent } as ApiIds
      const sourceId = await make(app, ids, 'source')
      const place = { organizationId: organization, collectionId: collection, sourceId }
      const values = { ...place, url: `https://lamps.example/${sourceId}`, status: 'idle' as const }
      const [row] = await app.db.write((tx) => tx.insert(addresses).values(values).returning({ id: addresses.id }))
      return row?.id ?? ''
    }
    case 'thread': {
      const values = { organizationId: organization, agentId: agent, title: 'Asked' }
      const [row] = await app.db.write((tx) => tx.insert(threads).values(values).returning({ id: threads.id }))
      return row?.id ?? ''
    }
    case 'person':
      return (await createPerson(app, { [organization]: 'viewer' })).userId
    case 'invitation': {
      const input = { email: `invited-${crypto.randomUUID()}@example.com`, role: 'viewer' } as const
      return (await app.services.invitations.create(system, organization, input)).id
    }
    default:
      throw new Error(`Nothing makes a new ${what}.`)
  }
}

async function dump({ db }: App): Promise<string> {
  const all: Record<string, unknown> = { fragments: await db.read.$count(fragments) }
  const tables = {
    organizations,
    members,
    invitations,
    users,
    collections,
    modelChanges,
    sources,
    files,
    runs,
    addresses,
    visits,
    agents,
    keychains,
    threads,
    messages,
    jobs,
    auditEvents,
    accounts,
    passkeys,
    links,
  }
  for (const [name, table] of Object.entries(tables)) all[name] = ordered(await db.read.select().from(table))
  const { id, name, userId } = accessTokens
  all.accessTokens = ordered(await db.read.select({ id, name, userId }).from(accessTokens))
  // Every call counts, also one that is refused.
  const { searches: _, apiRequests: _a, ...counters } = getTableColumns(usage)
  all.usage = ordered(await db.read.select(counters).from(usage)).filter(
    ({ crawls, messages }) => crawls + messages > 0,
  )
  return JSON.stringify(all, null, 1)
}

/** PostgreSQL returns rows in any order. */
function ordered<Row extends object>(rows: Row[]): Row[] {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .map((row) => JSON.parse(row))
}
