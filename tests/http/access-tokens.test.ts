import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrganizationRole } from '../../contract/values/enumerations'
import { accessTokenLimits } from '../../contract/values/limits'
import { problemSchema } from '../../contract/views/problem'
import { accessTokens } from '../../db/schema/access-tokens'
import { members } from '../../db/schema/organizations'
import { users } from '../../db/schema/users'
import { system } from '../../server/actor'
import { createPerson } from '../support/people/people'
import { apiRoutes } from '../support/web/api-routes'
import { signInRoutes } from '../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../support/web/web-site'

const routes = {
  ...signInRoutes,
  ...apiRoutes,
}
let web: WebSite
let lamps: string
let otherText: string

beforeAll(async () => {
  web = await startWebSite(routes)
  const create = async (name: string) =>
    (await web.app.services.organizations.create(system, { name, entity_name: '' })).id
  lamps = await create('Lamps')
  otherText = await create('Other')
})
afterAll(() => web?.close())

interface Limits {
  role?: OrganizationRole
  organization_id?: string
  days?: number
}

async function tokenOf(person: { userId: string }, limits: Limits = {}) {
  const input = { name: 'Test', role: null, organization_id: null, days: 30, ...limits }
  return web.app.services.accessTokens.create(system, person.userId, input)
}

async function call(token: string, path: string, method = 'GET', body?: unknown) {
  const response = await fetch(`${web.origin}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : null }
}

async function statuses(token: string) {
  const read = await call(token, `/${lamps}/collections`)
  const add = await call(token, `/${lamps}/collections`, 'POST', { name: 'Added', description: '' })
  const edit = await call(token, `/organizations/${lamps}`, 'PUT', { name: 'Lamps' })
  return [read.status, add.status, edit.status]
}

async function refusalOf(token: string) {
  const { status, body } = await call(token, '/auth/me')
  const { code, message } = problemSchema.parse(body)
  expect([status, code]).toEqual([401, 'unauthenticated'])
  return message
}

/** What each role gets for reading, adding a collection, and editing the organization. */
const expected = { admin: [200, 201, 200], member: [200, 201, 403], viewer: [200, 403, 403] }

describe('a personal access token', () => {
  it.each([
    ['admin', 'admin', 'admin'],
    ['admin', 'member', 'member'],
    ['admin', 'viewer', 'viewer'],
    ['member', 'member', 'member'],
    ['member', 'viewer', 'viewer'],
    ['viewer', 'viewer', 'viewer'],
  ] as const)('acts, for a person who is %s with the role %s, as %s', async (own, role, effective) => {
    const person = await createPerson(web.app, { [lamps]: own })
    const { token } = await tokenOf(person, { role })
    expect(await statuses(token)).toEqual(expected[effective])
    const me = await call(token, '/auth/me')
    expect(me.body.user.org_connections).toMatchObject([{ organization_id: lamps, role: effective }])
  })

  it("has at most the person's role when it is created", async () => {
    const viewer = await createPerson(web.app, { [lamps]: 'viewer' })
    await expect(tokenOf(viewer, { role: 'member' })).rejects.toMatchObject({ code: 'invalid_input' })
    expect((await tokenOf(viewer)).role).toBeNull()
    const mixed = await createPerson(web.app, { [lamps]: 'viewer', [otherText]: 'admin' })
    expect((await tokenOf(mixed, { role: 'admin' })).role).toBe('admin')
    await expect(tokenOf(mixed, { role: 'admin', organization_id: lamps })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: { role: [expect.stringContaining('viewer')] } },
    })
  })

  it("has no more than the person's role after that is lowered, and no more than its own after it is raised", async () => {
    const person = await createPerson(web.app, { [lamps]: 'admin' })
    const full = (await tokenOf(person)).token
    const lowered = (await tokenOf(person, { role: 'member' })).token
    const change = (role: OrganizationRole) =>
      web.app.services.members.changeRole(system, { organizationId: lamps, userId: person.userId }, { role })
    await createPerson(web.app, { [lamps]: 'admin' })
    expect([await statuses(full), await statuses(lowered)]).toEqual([expected.admin, expected.member])
    await change('viewer')
    expect([await statuses(full), await statuses(lowered)]).toEqual([expected.viewer, expected.viewer])
    await change('admin')
    expect([await statuses(full), await statuses(lowered)]).toEqual([expected.admin, expected.member])
  })

  it('finds nothing in an organization that the person was removed from', async () => {
    const person = await createPerson(web.app, { [lamps]: 'member', [otherText]: 'member' })
    const { token } = await tokenOf(person)
    await web.app.services.members.remove(system, { organizationId: lamps, userId: person.userId })
    expect(await statuses(token)).toEqual([404, 404, 404])
    expect((await call(token, `/${otherText}/collections`)).status).toBe(200)
  })

  it('reaches only its organization if it is limited to one', async () => {
    const person = await createPerson(web.app, { [lamps]: 'admin', [otherText]: 'admin' })
    const { token } = await tokenOf(person, { organization_id: lamps })
    expect(await statuses(token)).toEqual(expected.admin)
    expect((await call(token, `/${otherText}/collections`)).status).toBe(404)
    const me = await call(token, '/auth/me')
    expect(me.body.user.org_connections.map((item: { organization_id: string }) => item.organization_id)).toEqual([
      lamps,
    ])
    const stranger = await createPerson(web.app, { [otherText]: 'admin' })
    await expect(tokenOf(stranger, { organization_id: lamps })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('neither creates an organization, leaves one, nor acts as a platform administrator if it is limited', async () => {
    const person = await createPerson(web.app, { [lamps]: 'member' }, { staff: true })
    const { token } = await tokenOf(person, { role: 'viewer' })
    expect((await call(token, '/organizations', 'POST', { name: 'New', entity_name: '' })).status).toBe(403)
    expect((await call(token, `/organizations/${lamps}/members/${person.userId}`, 'DELETE')).status).toBe(403)
    expect((await call(token, '/auth/me')).body.user.type).toBe(0)
  })

  it('is refused at the next request after it was revoked', async () => {
    const person = await createPerson(web.app, { [lamps]: 'viewer' })
    const { id, token } = await tokenOf(person)
    expect((await call(token, '/auth/me')).status).toBe(200)
    const stranger = await createPerson(web.app, { [lamps]: 'admin' })
    await expect(web.app.services.accessTokens.revoke(stranger, id)).rejects.toMatchObject({ code: 'not_found' })
    await web.app.services.accessTokens.revoke(person, id)
    expect(await refusalOf(token)).toBe(
      'This access token does not exist or was revoked. Create a new one on the account page.',
    )
  })

  it('is refused once it has expired', async () => {
    const { id, token } = await tokenOf(await createPerson(web.app, { [lamps]: 'viewer' }))
    await web.app.db.writeOne((tx) =>
      tx
        .update(accessTokens)
        .set({ expiresAt: new Date(Date.now() - 1) })
        .where(eq(accessTokens.id, id)),
    )
    expect(await refusalOf(token)).toBe('This access token has expired. Create a new one on the account page.')
  })

  it('is refused once its person is deleted', async () => {
    const person = await createPerson(web.app, { [lamps]: 'viewer' })
    const { token } = await tokenOf(person)
    await web.app.db.writeOne((tx) => tx.delete(users).where(eq(users.id, person.userId)))
    expect(await refusalOf(token)).toContain('does not exist or was revoked')
  })

  it('is stored as a hash, shown once, and remembers its last use to the minute', async () => {
    const person = await createPerson(web.app, { [lamps]: 'viewer' })
    const { id, token } = await tokenOf(person)
    expect(JSON.stringify(await web.app.db.read.select().from(accessTokens))).not.toContain(token)
    const list = () => web.app.services.accessTokens.list(person, person.userId)
    expect(JSON.stringify(await list())).not.toContain(token)
    expect(await list()).toMatchObject([{ id, last_used_at: null }])
    await call(token, '/auth/me')
    const [first] = await list()
    expect(first?.last_used_at).not.toBeNull()
    await call(token, '/auth/me')
    expect(await list()).toEqual([first])
    const longAgo = new Date(Date.now() - 61_000)
    await web.app.db.writeOne((tx) =>
      tx.update(accessTokens).set({ lastUsedAt: longAgo }).where(eq(accessTokens.id, id)),
    )
    await call(token, '/auth/me')
    expect(Date.parse((await list())[0]?.last_used_at ?? '')).toBeGreaterThan(longAgo.getTime())
  })

  it('is invisible to others, and counted', async () => {
    const person = await createPerson(web.app, { [lamps]: 'viewer' })
    const stranger = await createPerson(web.app, { [lamps]: 'admin' }, { staff: true })
    await expect(web.app.services.accessTokens.list(stranger, person.userId)).rejects.toMatchObject({
      code: 'not_found',
    })
    for (let created = 0; created < accessTokenLimits.maxPerPerson; created++) await tokenOf(person)
    await expect(tokenOf(person)).rejects.toMatchObject({ code: 'quota_exceeded' })
  })
})

it('an unknown token is refused, and a key of an agent is no token', async () => {
  expect(await refusalOf(`sitelore_token_${'x'.repeat(43)}`)).toContain('does not exist or was revoked')
  expect(await refusalOf(`sitelore_private_${'x'.repeat(43)}`)).toContain('not valid')
})

it('the last membership of a person can end while a token of theirs exists', async () => {
  const person = await createPerson(web.app, { [lamps]: 'viewer' })
  const { token } = await tokenOf(person)
  const isOne = and(eq(members.userId, person.userId), eq(members.organizationId, lamps))
  await web.app.db.writeOne((tx) => tx.delete(members).where(isOne))
  expect((await call(token, '/auth/me')).body.user.org_connections).toEqual([])
})
