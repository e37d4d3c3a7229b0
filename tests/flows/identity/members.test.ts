import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { invitationSchema } from '../../../contract/organizations/member'
import { invitations, members } from '../../../db/schema/organizations'
import { accounts } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import { type Browser, createBrowser } from '../../support/browser/browser'
import { createPerson } from '../../support/people/people'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

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
  const person = all.find((item) => item.email.toLowerCase() === email)
  return Object.fromEntries(person?.org_connections.map(({ organization_id, role }) => [organization_id, role]) ?? [])
}

const firstPage = { page: 1, limit: 100 }
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
    const { docs: listed } = await site.app.services.members.list(admin, organizationId, firstPage)
    // Those who join in the same millisecond have no order.
    expect(listed.map(({ role }) => role).sort()).toEqual(['admin', 'viewer'])
    expect(listed.find(({ role }) => role === 'admin')).toMatchObject({
      user_id: admin.userId,
      email: admin.email,
      name: null,
    })
  })

  it('pages', async () => {
    const people = []
    for (let n = 0; n < 7; n++) people.push(await createPerson(site.app, { [organizationId]: 'viewer' }))
    const page = (page: number) => site.app.services.members.list(system, organizationId, { page, limit: 5 })
    const [first, second] = [await page(1), await page(2)]
    expect([first.total, first.pages, first.docs.length, second.docs.length]).toEqual([7, 2, 5, 2])
    const listed = [...first.docs, ...second.docs].map(({ user_id }) => user_id)
    expect(listed.sort()).toEqual(people.map(({ userId }) => userId).sort())
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

  it.each<[string, 'demoted' | 'removed']>([
    ['two demotions', 'demoted'],
    ['a demotion and a removal', 'removed'],
  ])('keeps one administrator in %s at once', async (_, second) => {
    const { members: service } = site.app.services
    const [ada, grace] = await Promise.all([1, 2].map(() => createPerson(site.app, { [organizationId]: 'admin' })))
    const refOf = (person = ada) => ({ organizationId, userId: person?.userId ?? '' })
    const outcomes = await Promise.allSettled([
      service.changeRole(grace ?? system, refOf(ada), { role: 'member' }),
      second === 'removed'
        ? service.remove(ada ?? system, refOf(grace))
        : service.changeRole(ada ?? system, refOf(grace), { role: 'viewer' }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const isAdmin = and(eq(members.organizationId, organizationId), eq(members.role, 'admin'))
    expect(await site.app.db.read.$count(members, isAdmin)).toBe(1)
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
    expect(asked.text).toContain(`invited you as a viewer. The invitation is for ${email}.`)
    expect(await memberships(email)).toEqual({})

    const form = await browser.submit(asked)
    expect(form.text).toContain(`value="${email}"`)
    await browser.submit(form, { name: '', surname: '', password })
    expect(await memberships(email)).toEqual({ [organizationId]: 'viewer' })
    expect((await createBrowser().open(link)).status).toBe(410)
    expect((await site.app.services.invitations.list(system, organizationId, firstPage)).docs).toEqual([])
  })

  it('do not verify the address, unlike a link of the operator', async () => {
    const isVerified = async (email: string) =>
      (await site.app.db.read.select().from(accounts).where(eq(accounts.emailNormalized, email)))[0]?.emailVerified
    const [invited, byOperator] = [newEmail(), newEmail()]
    await signUp((await invite(invited)).link)
    expect(await isVerified(invited)).toBe(false)

    const browser = createBrowser()
    const form = await browser.open(await site.app.identity.invitationLink(byOperator))
    await browser.submit(form, { name: '', surname: '', password })
    expect(await isVerified(byOperator)).toBe(true)
  })

  it.each(['member', 'staff'])('never sign in as a %s of another sign-in service', async (kind) => {
    const boss = await createPerson(site.app, { [organizationId]: 'admin' }, { staff: kind === 'staff' })
    const attackers = await newOrganization('Dill')
    const { link } = await invite(boss.email, 'viewer', attackers)
    const browser = createBrowser()
    await browser.submit(await browser.open(link))
    const refused = await browser.open(`${site.origin}/login?screen_hint=signup`)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('The account signs in with another service.')
    expect(await site.app.db.read.$count(accounts, eq(accounts.emailNormalized, boss.email))).toBe(0)
    expect(await site.app.db.read.$count(members, eq(members.organizationId, attackers))).toBe(0)

    // The link of the operator still moves the user to a password.
    const owner = createBrowser()
    await owner.submit(await owner.open(await site.app.identity.invitationLink(boss.email)), {
      name: '',
      surname: '',
      password,
    })
    expect(await memberships(boss.email)).toEqual({ [organizationId]: 'admin' })
  })

  it('are both accepted from two organizations, the second by an existing account', async () => {
    const email = newEmail()
    const otherText = await newOrganization('Dill')
    const first = await invite(email, 'member')
    const second = await invite(email, 'admin', otherText)
    await signUp(first.link)

    // In a browser where nobody is signed in, the account signs in first.
    const browser = createBrowser()
    const logIn = await browser.submit(await browser.open(second.link))
    expect(logIn.text).toContain('<h1>Log in</h1>')
    await browser.submit(logIn, { email, password })
    expect(await memberships(email)).toEqual({ [organizationId]: 'member', [otherText]: 'admin' })
    expect(await selectedIn(browser)).toBe(otherText)
  })

  it('join at once in the browser of a signed-in person, and select the organization', async () => {
    const email = newEmail()
    const browser = await signUp((await invite(email, 'admin')).link)
    const otherText = await newOrganization('Dill')
    await browser.submit(await browser.open((await invite(email, 'viewer', otherText)).link))
    expect(await memberships(email)).toEqual({ [organizationId]: 'admin', [otherText]: 'viewer' })
    expect(await selectedIn(browser)).toBe(otherText)
  })

  it('are refused to someone else who is signed in', async () => {
    const browser = await signUp((await invite(newEmail())).link)
    const otherText = await newOrganization('Dill')
    const { link, email } = await invite(newEmail(), 'admin', otherText)
    const page = await browser.open(link)
    expect(page.text).toContain(`is for ${email}, but you are logged in as`)
    const token = new URL(link).searchParams.get('token') ?? ''
    const forced = await browser.open(`${site.origin}/invitation`, {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers: { origin: site.origin, 'sec-fetch-site': 'same-origin' },
    })
    expect(forced.status).toBe(403)
    expect(await site.app.db.read.$count(members, eq(members.organizationId, otherText))).toBe(0)
  })

  it('say for whom they are to someone else who signs in with them', async () => {
    const own = newEmail()
    await signUp((await invite(own)).link)
    const invited = newEmail()
    await signUp((await invite(invited)).link)
    const otherText = await newOrganization('Dill')
    const { link } = await invite(invited, 'admin', otherText)
    const browser = createBrowser()
    const logIn = await browser.submit(await browser.open(link))
    const page = await browser.submit(logIn, { email: own, password })
    expect(page.text).toContain(`The invitation to Dill is for ${invited}, but you are logged in as ${own}.`)
    expect(await selectedIn(browser)).toBe(organizationId)
    expect(await memberships(own)).toEqual({ [organizationId]: 'member' })
    // The next sign-in is not led there again.
    expect(browser.cookies.some(({ name }) => name === 'sitelore-link')).toBe(false)
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
    const { docs: listed } = await site.app.services.invitations.list(system, organizationId, firstPage)
    expect(listed).toEqual([current])
    const days = (Date.parse(current.expires_at) - Date.parse(current.created_at)) / 86_400_000
    expect(days).toBeCloseTo(7, 2)

    await site.app.identity.sweep()
    expect(await site.app.db.read.$count(invitations, eq(invitations.organizationId, organizationId))).toBe(1)
  })

  it.each<[string, (person: Awaited<ReturnType<typeof createPerson>>) => Promise<unknown>]>([
    ['is removed', ({ userId }) => site.app.services.members.remove(system, { organizationId, userId })],
    ['leaves', (person) => site.app.services.members.remove(person, { organizationId, userId: person.userId })],
    [
      'is no longer an administrator',
      ({ userId }) => site.app.services.members.changeRole(system, { organizationId, userId }, { role: 'member' }),
    ],
    ['is deleted', ({ email }) => site.app.identity.deleteUser(email, null)],
  ])('are revoked when the administrator who made them %s', async (_, end) => {
    const { invitations: service, members: people, audit } = site.app.services
    const otherText = await newOrganization('Dill')
    const leaving = await createPerson(site.app, { [organizationId]: 'admin', [otherText]: 'admin' })
    const staying = await createPerson(site.app, { [organizationId]: 'admin', [otherText]: 'admin' })
    const created = await service.create(leaving, organizationId, { email: newEmail(), role: 'admin' })
    const elsewhere = await service.create(leaving, otherText, { email: newEmail(), role: 'viewer' })
    const kept = await service.create(staying, organizationId, { email: newEmail(), role: 'viewer' })
    await people.changeRole(system, { organizationId, userId: leaving.userId }, { role: 'admin' })
    expect((await createBrowser().open(created.link ?? '')).status).toBe(200)

    await end(leaving)

    expect((await createBrowser().open(created.link ?? '')).status).toBe(410)
    expect((await service.list(system, organizationId, firstPage)).docs).toEqual([kept])
    const isDeleted = !(await site.app.services.accounts.list(system)).some(({ id }) => id === leaving.userId)
    expect((await service.list(system, otherText, firstPage)).docs).toEqual(isDeleted ? [] : [elsewhere])
    const revoked = (await audit.list(system, organizationId)).filter(({ action }) => action === 'invitation.revoked')
    expect(revoked.map(({ subject }) => subject.id)).toEqual([created.id])
  })

  it('record that a new one replaced them', async () => {
    const replaced = await invite(newEmail())
    const current = await invite(replaced.email)
    const events = await site.app.services.audit.list(system, organizationId)
    expect(events.map(({ action, subject }) => [action, subject.id])).toEqual([
      ['invitation.created', current.id],
      ['invitation.revoked', replaced.id],
      ['invitation.created', replaced.id],
    ])
  })

  it('are rejected for members, and never change the role of one', async () => {
    const email = newEmail()
    const browser = await signUp((await invite(email, 'viewer')).link)
    await expect(invite(email, 'admin')).rejects.toMatchObject({ code: 'conflict' })
    const otherText = await newOrganization('Dill')
    const { link } = await invite(email, 'admin', otherText)
    const userId = (await site.app.services.members.list(system, organizationId, firstPage)).docs[0]?.user_id ?? ''
    await site.app.db.writeOne((tx) => tx.insert(members).values({ organizationId: otherText, userId, role: 'viewer' }))
    await browser.submit(await browser.open(link))
    expect(await memberships(email)).toEqual({ [organizationId]: 'viewer', [otherText]: 'viewer' })
  })

  it('are limited to 100 pending ones', async () => {
    const values = Array.from({ length: 100 }, (_, index) => ({
      organizationId,
      email: `pending-${index}@example.test`,
      role: 'viewer' as const,
      tokenHash: crypto.randomUUID(),
      token: 'sealed with a lost key',
      expiresAt: new Date(Date.now() + 60_000),
    }))
    await site.app.db.writeOne((tx) => tx.insert(invitations).values(values))
    await expect(invite(newEmail())).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect((await invite('pending-7@example.test')).role).toBe('member')
    const { docs: listed, ...counts } = await site.app.services.invitations.list(system, organizationId, firstPage)
    expect(counts).toEqual({ total: 100, pages: 1 })
    expect(listed.filter(({ link }) => link === null)).toHaveLength(99)
  })
})
