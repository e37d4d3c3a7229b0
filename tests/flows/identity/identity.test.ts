import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessions } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import { hashToken } from '../../../server/tokens'
import { createBrowser } from '../../support/browser/browser'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const ada = { email: 'Ada@Example.test', name: 'Ada', surname: 'Lovelace', password: 'correct horse battery' }

async function setUp(site: WebSite) {
  const browser = createBrowser()
  const link = await site.app.identity.setupLink()
  const form = await browser.open(link ?? '')
  await browser.submit(form, ada)
  return browser
}

describe('from the set-up link to signing out', () => {
  let site: WebSite
  beforeAll(async () => {
    site = await startWebSite(signInRoutes)
  })
  afterAll(() => site.close())

  test('nobody creates an account before the set-up', async () => {
    const page = await createBrowser().open(`${site.origin}/login?screen_hint=signup`)
    expect(page.status).toBe(403)
    expect(page.text).toContain('<h1>This site is not set up yet</h1>')
    expect(page.text).toContain('npm run -s sitelore -- setup-link')
    expect(page.text).not.toContain('name="password"')
  })

  test('a newer set-up link replaces the previous one, and a wrong one is rejected', async () => {
    const old = (await site.app.identity.setupLink()) ?? ''
    await site.app.identity.setupLink()
    for (const link of [old, `${site.origin}/setup?token=wrong`, `${site.origin}/setup`]) {
      const page = await createBrowser().open(link)
      expect(page.status).toBe(410)
      expect(page.text).toContain('setup-link')
    }
  })

  test('invalid fields come back with their errors and the entered values', async () => {
    const browser = createBrowser()
    const form = await browser.open((await site.app.identity.setupLink()) ?? '')
    const again = await browser.submit(form, { email: 'no "address"', name: 'Ada', surname: '', password: 'short' })
    expect(again.status).toBe(400)
    expect(again.text).toContain('id="email-error"')
    expect(again.text).toContain('value="no &quot;address&quot;"')
    expect(again.text).toContain('at least 10 characters'.slice(3))
    expect(again.text).not.toContain('short')
  })

  test('the first account becomes platform administrator and gets the existing organization', async () => {
    const { id } = await site.app.services.organizations.create(system, { name: 'Local', entity_name: '' })
    const browser = await setUp(site)
    const [event] = await site.app.services.audit.list(system, id)
    expect(event).toMatchObject({ action: 'member.joined', actor: { kind: 'person', email: 'Ada@Example.test' } })
    const dashboard = await browser.ask(`${site.origin}/dashboard`)
    // The organization has not answered the questionnaire yet.
    expect(dashboard.headers.get('location')).toBe('/onboarding')
    const [user] = await site.app.services.accounts.list(system)
    expect(user).toMatchObject({ email: 'Ada@Example.test', name: 'Ada', surname: 'Lovelace', type: 1 })
    expect(user?.org_connections).toMatchObject([{ role: 'admin', organization: { name: 'Local' } }])
    expect(await site.app.identity.setupLink()).toBeNull()
    expect(browser.trail.some((url) => url.startsWith(`${site.origin}/auth/callback?code=`))).toBe(true)

    const session = browser.cookies.find(({ name }) => name === 'sitelore')
    expect(session?.attributes).toMatch(/HttpOnly; SameSite=Lax/)
    expect(browser.cookies.filter(({ name }) => /^sitelore-(login|link)/.test(name))).toEqual([])
  })

  test('a stale set-up page shows a message instead of failing', async () => {
    const page = await createBrowser().open(`${site.origin}/oidc/interaction/unknown`)
    expect(page.status).toBe(400)
    expect(page.text).toContain('This page has expired')
  })

  test('signing in: a wrong password, an unknown address, then the right one', async () => {
    const browser = createBrowser()
    const form = await browser.open(`${site.origin}/login`)
    for (const email of [ada.email, 'nobody@example.test']) {
      const wrong = await browser.submit(form, { email, password: 'not the password' })
      expect(wrong.status).toBe(401)
      expect(wrong.text).toContain('Wrong e-mail or password')
      expect(wrong.text).toContain(`value="${email}"`)
    }
    await browser.submit(form, { email: ' ADA@example.TEST ', password: ada.password })
    expect(browser.trail.slice(-2)).toEqual([`${site.origin}/dashboard`, `${site.origin}/onboarding`])
  })

  test('the sign-up form requires an invitation, which is valid for one address', async () => {
    const stranger = createBrowser()
    const refused = await stranger.open(`${site.origin}/login?screen_hint=signup`)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('by invitation')

    const form = await stranger.open(await site.app.identity.invitationLink('Grace@example.test'))
    await stranger.submit(form, { email: 'other@example.test', name: '', surname: '', password: 'a long password' })
    const people = await site.app.services.accounts.list(system)
    expect(people.map(({ email, type }) => [email, type])).toEqual([
      ['Ada@Example.test', 1],
      ['grace@example.test', 0],
    ])
    const dashboard = await stranger.ask(`${site.origin}/dashboard`)
    expect(dashboard.headers.get('location')).toBe('/onboarding/organization')
  })

  test('a browser selects one organization, among the own ones only', async () => {
    const browser = createBrowser()
    await browser.submit(await browser.open(`${site.origin}/login`), ada)
    const cookie = `sitelore=${browser.cookies.find(({ name }) => name === 'sitelore')?.value}`
    const request = new Request(`${site.origin}/dashboard`, { headers: { cookie } })
    const { actor, organizationId } = (await site.app.identity.actorFromCookie(request)) ?? expect.fail('no session')
    const second = await site.app.services.organizations.create(actor, { name: 'Second', entity_name: '' })
    const foreign = await site.app.services.organizations.create(system, { name: 'Foreign', entity_name: '' })

    const chosen = async () => (await site.app.identity.actorFromCookie(request))?.organizationId
    expect(await chosen()).toBe(organizationId)
    await site.app.identity.selectOrganization(request, second.id)
    expect(await chosen()).toBe(second.id)
    await expect(site.app.identity.selectOrganization(request, foreign.id)).rejects.toMatchObject({
      code: 'forbidden',
      message: 'Cannot select organization that you are not part of.',
    })
    // Another browser keeps its own choice: the first organization with the role of an administrator.
    const otherBrowser = createBrowser()
    await otherBrowser.submit(await otherBrowser.open(`${site.origin}/login`), ada)
    const elsewhere = `sitelore=${otherBrowser.cookies.find(({ name }) => name === 'sitelore')?.value}`
    const asked = new Request(request.url, { headers: { cookie: elsewhere } })
    expect((await site.app.identity.actorFromCookie(asked))?.organizationId).toBe(organizationId)
  })

  test('a deleted session is rejected at the next request', async () => {
    const browser = createBrowser()
    await browser.submit(await browser.open(`${site.origin}/login`), ada)
    const token = browser.cookies.find(({ name }) => name === 'sitelore')?.value ?? ''
    expect((await browser.ask(`${site.origin}/dashboard`)).headers.get('location')).toBe('/onboarding')
    await site.app.db.write(async (tx) => {
      await tx.delete(sessions).where(eq(sessions.id, hashToken(token)))
    })
    expect((await browser.ask(`${site.origin}/dashboard`)).headers.get('location')).toBe('/')
  })

  test('a session lasts 14 days from its last use', async () => {
    const browser = createBrowser()
    await browser.submit(await browser.open(`${site.origin}/login`), ada)
    const id = hashToken(browser.cookies.find(({ name }) => name === 'sitelore')?.value ?? '')
    const day = 24 * 3_600_000
    const setEnd = (expiresAt: Date) => {
      const lastSeenAt = new Date(expiresAt.getTime() - 14 * day)
      return site.app.db.writeOne((tx) => tx.update(sessions).set({ expiresAt, lastSeenAt }).where(eq(sessions.id, id)))
    }
    await setEnd(new Date(Date.now() + 2 * day))
    await browser.ask(`${site.origin}/dashboard`)
    const [row] = await site.app.db.read.select().from(sessions).where(eq(sessions.id, id))
    expect(row?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 13.9 * day)
    await setEnd(new Date(Date.now() - 1))
    expect((await browser.ask(`${site.origin}/dashboard`)).headers.get('location')).toBe('/')
  })

  test('signing out ends both sessions and returns to the site', async () => {
    const browser = createBrowser()
    await browser.submit(await browser.open(`${site.origin}/login`), ada)
    const cookie = browser.cookies.find(({ name }) => name === 'sitelore')
    const from = { headers: { origin: site.origin }, method: 'POST' }
    const question = await browser.open(`${site.origin}/logout`, from)
    expect(question.text).toContain('Log out?')
    await browser.submit(question, { logout: 'yes' })
    expect(browser.trail.at(-1)).toBe(`${site.origin}/`)
    expect(browser.cookies.some(({ name }) => name === 'sitelore')).toBe(false)

    const replayed = await fetch(`${site.origin}/dashboard`, {
      headers: { cookie: `sitelore=${cookie?.value}` },
      redirect: 'manual',
    })
    expect(replayed.headers.get('location')).toBe('/')
    // The provider asks for the password again.
    expect((await browser.open(`${site.origin}/login`)).text).toContain('name="password"')
  })

  test('a reset link sets a new password once and ends the sessions', async () => {
    const browser = createBrowser()
    await browser.submit(await browser.open(`${site.origin}/login`), ada)
    const link = await site.app.identity.resetLink('ada@example.test')
    const otherBrowser = createBrowser()
    const form = await otherBrowser.open(link)
    expect((await otherBrowser.submit(form, { password: 'tiny' })).status).toBe(400)
    expect((await otherBrowser.submit(form, { password: 'another long one' })).text).toContain(
      'Your password was changed',
    )
    expect((await otherBrowser.submit(form, { password: 'and a third one' })).status).toBe(410)
    expect((await browser.ask(`${site.origin}/dashboard`)).headers.get('location')).toBe('/')
    // At the provider too.
    expect((await browser.open(`${site.origin}/login`)).text).toContain('name="password"')

    const again = await otherBrowser.open(`${site.origin}/login`)
    expect((await otherBrowser.submit(again, ada)).status).toBe(401)
    await otherBrowser.submit(again, { email: ada.email, password: 'another long one' })
    expect((await otherBrowser.ask(`${site.origin}/dashboard`)).headers.get('location')).toBe('/onboarding')
  })

  test('the callback works only in its browser and its transaction', async () => {
    const browser = createBrowser()
    await browser.open(`${site.origin}/login`)
    const answers = {
      [`${site.origin}/auth/callback?code=x&state=foreign`]: 'error=state_mismatch&error_description=Invalid+state',
      [`${site.origin}/auth/callback?code=x`]: 'error=missing_transaction&error_description=Invalid+state',
    }
    for (const [url, expected] of Object.entries(answers)) {
      expect((await browser.ask(url)).headers.get('location')).toBe(`/?${expected}`)
    }
    const otherBrowser = createBrowser()
    const { headers } = await otherBrowser.ask(`${site.origin}/auth/callback?code=x&state=y`)
    expect(headers.get('location')).toBe('/?error=missing_transaction&error_description=Invalid+state')
  })

  test('forms from other sites change nothing', async () => {
    const browser = createBrowser()
    await browser.submit(await browser.open(`${site.origin}/login`), { email: ada.email, password: 'another long one' })
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site', origin: site.origin },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
      {},
    ]
    for (const headers of foreign) {
      for (const path of ['/logout', '/dashboard', '/oidc/interaction/x', '/reset']) {
        const refused = await browser.ask(`${site.origin}${path}`, { method: 'POST', headers })
        expect([path, refused.status]).toEqual([path, 403])
      }
    }
    expect((await browser.ask(`${site.origin}/dashboard`)).headers.get('location')).toBe('/onboarding')
  })
})
