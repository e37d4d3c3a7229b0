import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { invitationSchema } from '../../contract/member'
import { invitations, members } from '../../db/schema/organizations'
import { system } from '../../server/actor'
import { type Browser, createBrowser } from '../support/browser'
import { createPerson } from '../support/people'
import { signInRoutes } from '../support/sign-in-routes'
import { startWebSite, type WebSite } from '../support/web-site'

let site: WebSite
let organizationId: string

beforeAll(async () => {
  site = await startWebSite(signInRoutes)
  await createPerson(site.app, {})
})
afterAll(() => site.close())
beforeEach(async () => {
  organizationId = await newOrganization('Fennel')
})

async function newOrganization(name: string): Promise<string> {
  return (await site.app.services.organizations.create(system, { name, entity_name: '' })).id
}

async function invite(email: string, role: 'admin' | 'member' | 'viewer' = 'member', to = organizationId) {
  const invitation = await site.app.services.invitations.create(system, to, invitationSchema.parse({ email, role }))
  return { ...invitation, link: invitation.link ?? expect.fail('no link') }
}

async function memberships(email: string): Promise<Record<string, string>> {
  const all = await site.app.services.accounts.list(system)
  const person = all.find((one) => one.email.toLowerCase() === email)
  return Object.fromEntries(person?.org_connections.map(({ organization_id, role }) => [organization_id, role]) ?? [])
}

const password = 'correct horse battery'
let people = 0
const newEmail = () => `grace-${++people}@example.test`

/** Accepts an invitation without an account. */
async function signUp(link: string): Promise<Browser> {
  const browser = createBrowser()
  await browser.submit(await browser.submit(await browser.open(link)), { name: '', surname: '', password })
  return browser
}

async function selectedIn(browser: Browser): Promise<string | null | undefined> {
  const cookie = `sitelore=${browser.cookies.find(({ name }) => name === 'sitelore')?.value}`
  const request = new Request(`${site.origin}/dashboard`, { headers: { cookie } })
  return (await site.app.identity.actorFromCookie(request))?.organizationId
}

describe('members', () => {
  it('lists people with their roles', async () => {
    const admin = await createPerson(site.app, { [organizationId]: 'admin' })
    await createPerson(site.app, { [organizationId]: 'viewer' })
    const listed = await site.app.services.members.list(admin, organizationId)
    expect(listed.map(({ role }) => role)).toEqual(['admin', 'viewer'])
    expect(listed[0]).toMatchObject({ user_id: admin.userId, email: admin.email, name: null })
  })

  it('keeps the last administrator', async () => {
    const { members: service } = site.app.services
    const first = await createPerson(site.app, { [organizationId]: 'admin' })
    const ref = { organizationId, userId: first.userId }
    const last = { code: 'conflict', message: expect.stringContaining('Make another member an administrator first') }
    await expect(service.changeRole(first, ref, { role: 'viewer' })).rejects.toMatchObject(last)
    await expect(service.remove(first, ref)).rejects.toMatchObject(last)
    await expect(service.changeRole(first, ref, { role: 'admin' })).resolves.toMatchObject({ role: 'admin' })

    const second = await createPerson(site.app, { [organizationId]: 'member' })
    await service.changeRole(first, { organizationId, userId: second.userId }, { role: 'admin' })
    // Both leave at once: one of them stays.
    const outcomes = await Promise.allSettled([
      service.remove(first, ref),
      service.remove(second, { organizationId, userId: second.userId }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await site.app.db.read.$count(members, eq(members.organizationId, organizationId))).toBe(1)
  })

  it('lets everyone leave, and only administrators remove others', async () => {
    const { members: service } = site.app.services
    await createPerson(site.app, { [organizationId]: 'admin' })
    const viewer = await createPerson(site.app, { [organizationId]: 'viewer' })
    const member = await createPerson(site.app, { [organizationId]: 'member' })
    const refOf = ({ userId }: { userId: string }) => ({ organizationId, userId })
    await expect(service.remove(viewer, refOf(member))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(service.changeRole(member, refOf(member), { role: 'admin' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await service.remove(viewer, refOf(viewer))
    await expect(service.remove(system, refOf(viewer))).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('invitations', () => {
  it('make an account that is a member with the role', async () => {
    const email = newEmail()
    const { link } = await invite(` ${email.toUpperCase()} `, 'viewer')
    const browser = createBrowser()
    const asked = await browser.open(link)
    expect(asked.text).toContain('Join Fennel')
    expect(asked.text).toContain(`You are invited as Viewer. The invitation is for ${email}.`)
    expect(await memberships(email)).toEqual({})

    const form = await browser.submit(asked)
    expect(form.text).toContain(`value="${email}"`)
    await browser.submit(form, { name: '', surname: '', password })
    expect(await memberships(email)).toEqual({ [organizationId]: 'viewer' })
    expect((await createBrowser().open(link)).status).toBe(410)
    expect(await site.app.services.invitations.list(system, organizationId)).toEqual([])
  })

  it('of two organizations are both accepted, the second by an existing account', async () => {
    const email = newEmail()
    const other = await newOrganization('Dill')
    const first = await invite(email, 'member')
    const second = await invite(email, 'admin', other)
    await signUp(first.link)

    // In a browser where nobody is signed in, the account signs in first.
    const browser = createBrowser()
    const logIn = await browser.submit(await browser.open(second.link))
    expect(logIn.text).toContain('<h1>Log in</h1>')
    await browser.submit(logIn, { email, password })
    expect(await memberships(email)).toEqual({ [organizationId]: 'member', [other]: 'admin' })
    expect(await selectedIn(browser)).toBe(other)
  })

  it('join at once in the browser of a signed-in person, and select the organization', async () => {
    const email = newEmail()
    const browser = await signUp((await invite(email, 'admin')).link)
    const other = await newOrganization('Dill')
    await browser.submit(await browser.open((await invite(email, 'viewer', other)).link))
    expect(await memberships(email)).toEqual({ [organizationId]: 'admin', [other]: 'viewer' })
    expect(await selectedIn(browser)).toBe(other)
  })

  it('are refused to someone else who is signed in', async () => {
    const browser = await signUp((await invite(newEmail())).link)
    const other = await newOrganization('Dill')
    const { link, email } = await invite(newEmail(), 'admin', other)
    const page = await browser.open(link)
    expect(page.text).toContain(`is for ${email}, but you are logged in as`)
    const token = new URL(link).searchParams.get('token') ?? ''
    const forced = await browser.open(`${site.origin}/invitation`, {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers: { origin: site.origin, 'sec-fetch-site': 'same-origin' },
    })
    expect(forced.status).toBe(403)
    expect(await site.app.db.read.$count(members, eq(members.organizationId, other))).toBe(0)
  })

  it('no longer work after they expire, are revoked or replaced', async () => {
    const expired = await invite(newEmail())
    const past = { expiresAt: new Date(Date.now() - 1) }
    await site.app.db.writeOne((tx) => tx.update(invitations).set(past).where(eq(invitations.id, expired.id)))
    const revoked = await invite(newEmail())
    await site.app.services.invitations.revoke(system, { organizationId, invitationId: revoked.id })
    const replaced = await invite(newEmail())
    const current = await invite(replaced.email, 'viewer')

    for (const { link } of [expired, revoked, replaced]) expect((await createBrowser().open(link)).status).toBe(410)
    const listed = await site.app.services.invitations.list(system, organizationId)
    expect(listed).toEqual([current])
    const days = (Date.parse(current.expires_at) - Date.parse(current.created_at)) / 86_400_000
    expect(days).toBeCloseTo(7, 2)

    await site.app.identity.sweep()
    expect(await site.app.db.read.$count(invitations, eq(invitations.organizationId, organizationId))).toBe(1)
  })

  it('are rejected for members, and never change the role of one', async () => {
    const email = newEmail()
    const browser = await signUp((await invite(email, 'viewer')).link)
    await expect(invite(email, 'admin')).rejects.toMatchObject({ code: 'conflict' })
    const other = await newOrganization('Dill')
    const { link } = await invite(email, 'admin', other)
    const userId = (await site.app.services.members.list(system, organizationId))[0]?.user_id ?? ''
    await site.app.db.writeOne((tx) => tx.insert(members).values({ organizationId: other, userId, role: 'viewer' }))
    await browser.submit(await browser.open(link))
    expect(await memberships(email)).toEqual({ [organizationId]: 'viewer', [other]: 'viewer' })
  })

  it('are limited to 100 pending ones', async () => {
    const values = Array.from({ length: 100 }, (_, at) => ({
      organizationId,
      email: `pending-${at}@example.test`,
      role: 'viewer' as const,
      tokenHash: crypto.randomUUID(),
      token: 'sealed with a lost key',
      expiresAt: new Date(Date.now() + 60_000),
    }))
    await site.app.db.writeOne((tx) => tx.insert(invitations).values(values))
    await expect(invite(newEmail())).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect((await invite('pending-7@example.test')).role).toBe('member')
    const listed = await site.app.services.invitations.list(system, organizationId)
    expect(listed.filter(({ link }) => link === null)).toHaveLength(99)
  })
})
