import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shownOrganizationField } from '../../../app/components/ui/forms/organization-form'
import { members } from '../../../db/schema/organizations'
import { system } from '../../../server/actor'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'
import { createTestCli } from '../../support/cli'
import { type Credential, credentialOf, revoke } from '../../support/people/credentials'
import { createPerson } from '../../support/people/people'
import { startSite } from '../../support/sites/site'
import { until } from '../../support/until'
import { routeTree } from '../../support/web/route-tree'

// Each stream would stay open for minutes: the model says three words and then nothing, and the source is never read.

const prompt = 'Which lamp is bright?'
let world: ApiWorld
let person: Awaited<ReturnType<typeof createPerson>>
let credential: Credential

beforeAll(async () => {
  world = await startApiWorld(await routeTree())
  await world.app.services.organizations.onboard(system, world.own.organization, {
    goals: ['just_trying'],
    sector: 'retail',
    position: 'sales',
    size: 'Solo (1)',
    source: 'search',
  })
})
afterAll(() => world?.close())
beforeEach(async () => {
  person = await createPerson(world.app, { [world.own.organization]: 'member' })
  credential = await credentialOf(world.app, person, world.own.organization)
})

const changeRole = (role: 'admin' | 'viewer') =>
  world.app.services.members.changeRole(
    system,
    { organizationId: world.own.organization, userId: person.userId },
    { role },
  )
const remove = () =>
  world.app.services.members.remove(system, { organizationId: world.own.organization, userId: person.userId })
const regenerate = (which: 'public' | 'private') =>
  world.app.services.keychains.save(
    system,
    { organizationId: world.own.organization, agentId: world.own.agent },
    { regenerate: which },
  )

/** Opens a stream, does `then` after its first event, and returns its events once it has ended. */
async function stream(
  path: string,
  { method = 'POST', body, headers }: { method?: string; body?: object; headers: Record<string, string> },
  then: () => Promise<unknown>,
) {
  const shown = path.startsWith('/dashboard/') ? { [shownOrganizationField]: world.own.organization } : {}
  const response = await fetch(world.origin + path, {
    method,
    headers: {
      accept: 'text/event-stream',
      'sec-fetch-site': 'same-origin',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify({ ...body, ...shown }) } : {}),
    redirect: 'manual',
  })
  expect([response.status, response.headers.get('location'), response.headers.get('content-type')]).toEqual([
    200,
    null,
    'text/event-stream; charset=utf-8',
  ])
  let text = ''
  let changed: Promise<unknown> | undefined
  for await (const part of response.body ?? []) {
    text += new TextDecoder().decode(part)
    if (!changed && (text.match(/^event: (text-delta|progress|sources|address)$/gm) ?? []).length > 0) changed = then()
  }
  expect(changed, text).toBeDefined()
  await changed
  return [...text.matchAll(/^event: (.+)\ndata: (.+)\n\n/gm)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data),
  }))
}

const bearer = () => ({ authorization: `Bearer ${credential.bearer}` })
const cookie = () => ({ cookie: credential.cookie ?? '' })
const key = (which: 'public-key' | 'private-key') => () => ({
  authorization: `Bearer ${world.credentials[which].bearer}`,
})
const apiChat = () => `/v1/${world.own.organization}/agents/${world.own.agent}/chat`

describe('an answer', () => {
  it.each([
    ['its reader is removed', apiChat, bearer, remove],
    ['its reader is removed, on the page', () => `/dashboard/agent/${world.own.agent}/chat`, cookie, remove],
    ['the access token is revoked', apiChat, bearer, () => revoke(world.app, credential)],
    [
      'the session is ended',
      () => `/dashboard/agent/${world.own.agent}/chat`,
      cookie,
      () => revoke(world.app, credential),
    ],
    ['the private key is regenerated', apiChat, key('private-key'), () => regenerate('private')],
    ['the public key is regenerated', apiChat, key('public-key'), () => regenerate('public')],
    [
      'another process deletes the account',
      apiChat,
      bearer,
      async () => {
        const cli = await createTestCli({ DATA_DIR: world.app.config.dataDir })
        const { code, err } = await cli.run(['users', 'delete', person.email, '--yes'])
        expect(code, err).toBe(0)
      },
    ],
  ])('ends when %s, and is kept', async (_when, path, headers, change) => {
    world.provider.next({ kind: 'stall', words: 3 })
    const events = await stream(path(), { body: { prompt }, headers: headers() }, change)
    const last = events.at(-1)
    expect(last).toMatchObject({
      event: 'answer-error',
      data: {
        code: 'forbidden',
        title: 'Your access has changed',
        message: 'The answer was stopped. The part written so far is kept.',
        partial: { status_message: 'Stopped before the end of the answer.' },
      },
    })
    const { threadId, partial } = last?.data ?? {}
    expect(partial.content.split(' ')).toHaveLength(3)
    const ref = { organizationId: world.own.organization, threadId }
    const { messages } = await world.app.services.threads.get(system, ref)
    expect(messages.at(-1)?.content).toBe(partial.content)
  })

  it('refuses smart search when the key is regenerated', async () => {
    world.provider.next({ kind: 'stall', words: 3 })
    const asked = world.provider.requests.length
    const { private_key } = await regenerate('private')
    const answering = world.send('guest', 'POST', '/v1/chat/simple', {
      headers: { authorization: `Bearer ${private_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt }),
    })
    await until(async () => world.provider.requests.length > asked)
    await regenerate('private')
    expect(await answering).toMatchObject({
      status: 403,
      body: { message: 'The answer was stopped. The part written so far is kept.' },
    })
  })

  it('goes on when the new role has the right as well', async () => {
    world.provider.next({ kind: 'answer', text: 'word '.repeat(50).trim(), chunkDelayMs: 100 })
    const events = await stream(apiChat(), { body: { prompt }, headers: bearer() }, () => changeRole('viewer'))
    expect(events.at(-1)).toMatchObject({ event: 'answer-end' })
  })
})

describe('a stream of progress', () => {
  const collection = () => `${world.own.organization}/sources/${world.own.collection}`

  it('ends when its reader is removed', async () => {
    const { source } = await world.renewed(world.own, 'source')
    const path = `/v1/${collection()}/${source}/progress`
    const events = await stream(path, { method: 'GET', headers: bearer() }, remove)
    expect(events.map(({ event }) => event)).toEqual(['progress'])
  })

  it.each([
    ['its reader is removed', remove],
    ['the session is ended', () => revoke(world.app, credential)],
  ])('ends on the page when %s', async (_when, change) => {
    const path = `/dashboard/collection/${world.own.collection}/progress`
    const events = await stream(path, { method: 'GET', headers: cookie() }, change)
    expect(events.map(({ event }) => event)).toEqual(['sources'])
  })
})

describe('a preview', () => {
  it.each([
    ['in /v1', () => `/v1/${world.own.organization}/sources/${world.own.collection}/preview`, bearer],
    ['on the page', () => `/dashboard/collection/${world.own.collection}/preview`, cookie],
  ])(
    '%s ends without a result when a role is lowered to one that may not add sources',
    async (_where, path, headers) => {
      const page = '<title>Lamps</title><main><h1>Lamps</h1><p>All of our <a href="/slow">lamps</a>.</p></main>'
      const site = await startSite({ '/': page, '/slow': { delayMs: 'never' } })
      const body = { type: 'domain', name: '', url: site.origin }
      const events = await stream(path(), { body, headers: headers() }, () => changeRole('viewer'))
      expect(events.map(({ event }) => event)).not.toContain('done')
      const rows = await world.app.db.read.select().from(members).where(eq(members.userId, person.userId))
      expect(rows.map(({ role }) => role)).toEqual(['viewer'])
      await site.close()
    },
  )
})

// The last one, because it takes the organization of the others.
it('ends all streams when the organization is deleted', async () => {
  const { organization } = world.own
  const { name } = await world.app.services.organizations.get(system, organization)
  let open = 0
  const deleteWhenOpen = async () => {
    open += 1
    if (open === 3) await world.app.services.organizationDeletion.remove(system, organization, { name })
  }
  const { private_key: privateKey } = await regenerate('private')
  for (let answers = 0; answers < 2; answers++) world.provider.next({ kind: 'stall', words: 3 })
  const { source } = await world.renewed(world.own, 'source')
  const progress = `/v1/${organization}/sources/${world.own.collection}/${source}/progress`
  const [person, program, run] = await Promise.all([
    stream(apiChat(), { body: { prompt }, headers: bearer() }, deleteWhenOpen),
    stream(apiChat(), { body: { prompt }, headers: { authorization: `Bearer ${privateKey}` } }, deleteWhenOpen),
    stream(progress, { method: 'GET', headers: bearer() }, deleteWhenOpen),
  ])
  for (const events of [person, program]) expect(events.at(-1)).toMatchObject({ event: 'answer-error' })
  expect(run.map(({ event }) => event)).not.toContain('done')
})
