import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrganizationRole } from '../../../contract/values/enumerations'
import { maxPictureBytes } from '../../../contract/values/limits'
import { sessions } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import { type Browser, createBrowser, type Visited } from '../../support/browser/browser'
import { shownFields } from '../../support/browser/shown-organization'
import { jpegPicture, pngPicture, svgPicture, webpPicture } from '../../support/files/pictures'
import { issueToken } from '../../support/people/access-token'
import { issueProviderToken } from '../../support/providers/provider-token'
import { apiRoutes } from '../../support/web/api-routes'
import { pageRoutes } from '../../support/web/page-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const password = 'correct horse battery'
const answers = { goals: 'just_trying', sector: 'retail', position: 'sales', size: 'Solo (1)', source: 'search' }
let clients = 0
/** A browser with an address of its own, because sign-ins are limited by address. */
const openBrowser = (headers: Record<string, string> = {}) =>
  createBrowser({ ...headers, 'x-forwarded-for': `198.51.100.${++clients}` })
const ada = openBrowser({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' })
let web: WebSite
let organizationId: string

beforeAll(async () => {
  web = await startWebSite({ ...(await pageRoutes()), ...apiRoutes }, { TRUSTED_PROXIES: '127.0.0.1' })
  const setUp = await ada.open((await web.app.identity.setupLink()) ?? '')
  await ada.submit(setUp, { email: 'ada@example.test', name: 'Ada', surname: 'Keller', password })
  await post(ada, '/onboarding/organization', { name: 'Lamps' })
  await post(ada, '/onboarding?index', answers)
  organizationId = (await person('ada@example.test')).org_connections[0]?.organization_id ?? ''
})
afterAll(() => web?.close())

async function post(browser: Browser, path: string, values: Record<string, string> | FormData): Promise<Visited> {
  const headers = { origin: web.origin, 'sec-fetch-site': 'same-origin' }
  const body =
    values instanceof FormData ? values : new URLSearchParams({ ...(await shownFields(web, browser)), ...values })
  return browser.open(web.origin + path, { method: 'POST', headers, body })
}

const person = (email: string) => web.app.services.accounts.find(system, email)
const account = async (browser: Browser) => (await browser.open(`${web.origin}/dashboard/account.data`)).text
const isSignedIn = async (browser: Browser) =>
  (await browser.ask(`${web.origin}/dashboard/account`)).headers.get('location') !== '/'
const signIn = async (email: string, secret = password, browser = openBrowser()) => {
  await browser.submit(await browser.open(`${web.origin}/login`), { email, password: secret })
  return browser
}

/** A member of the organization, with a browser in which they are signed in. */
async function join(email: string, role: OrganizationRole = 'member') {
  const { link } = await web.app.services.invitations.create(system, organizationId, { email, role })
  const browser = openBrowser()
  const asked = await browser.submit(await browser.open(link ?? ''))
  await browser.submit(asked, { name: '', surname: '', password })
  return { browser, user: await person(email) }
}

async function sessionsOf(browser: Browser) {
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return web.app.identity.account.sessions(new Request(web.origin, { headers: { cookie } }))
}

function pictureForm(content: Buffer): FormData {
  const form = new FormData()
  form.set('intent', 'upload')
  form.set('picture', new File([new Uint8Array(content)], 'me'))
  return form
}

describe('the profile', () => {
  it('is renamed, also for the next sign-in', async () => {
    await post(ada, '/dashboard/account', { intent: 'rename', name: 'Ada', surname: 'Lovelace' })
    expect(await person('ada@example.test')).toMatchObject({ name: 'Ada', surname: 'Lovelace' })
    await signIn('ada@example.test')
    expect(await person('ada@example.test')).toMatchObject({ name: 'Ada', surname: 'Lovelace' })
    const long = await post(ada, '/dashboard/account', { intent: 'rename', name: 'x'.repeat(65), surname: '' })
    expect(long.status).toBe(400)
  })

  it.each([
    ['PNG', pngPicture, 'image/png'],
    ['JPEG', jpegPicture, 'image/jpeg'],
    ['WebP', webpPicture, 'image/webp'],
  ])('takes a picture of the type %s and serves it to its person only', async (_type, content, mediaType) => {
    await post(ada, '/dashboard/account/picture', pictureForm(content))
    const { id, picture } = await person('ada@example.test')
    expect(picture).toMatch(new RegExp(`^/picture/${id}\\?v=[\\w-]{16}$`))
    const served = await ada.ask(web.origin + picture)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, mediaType])
    expect(served.headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    )
    expect(served.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await createBrowser().ask(web.origin + picture)).status).toBe(404)
  })

  it.each([
    ['another type', svgPicture],
    ['too large', Buffer.concat([pngPicture, Buffer.alloc(maxPictureBytes)])],
    ['too large for any form', Buffer.concat([pngPicture, Buffer.alloc(2 * 1024 * 1024)])],
    ['empty', Buffer.alloc(0)],
  ])('refuses a picture that is %s, and keeps the former', async (_what, content) => {
    await post(ada, '/dashboard/account/picture', pictureForm(pngPicture))
    const { picture } = await person('ada@example.test')
    const refused = await post(ada, '/dashboard/account/picture', pictureForm(content))
    expect([refused.status, new URL(refused.url).pathname]).toEqual([200, '/dashboard/account'])
    expect((await person('ada@example.test')).picture).toBe(picture)
  })

  it('shows pictures of others to platform administrators only, and removes the own', async () => {
    const { browser, user } = await join('pictured@example.test')
    await post(browser, '/dashboard/account/picture', pictureForm(pngPicture))
    await post(ada, '/dashboard/account/picture', pictureForm(pngPicture))
    const [own, foreign] = [(await person(user.email)).picture, (await person('ada@example.test')).picture]
    const statusOf = async (viewer: Browser, path: string | null) => (await viewer.ask(web.origin + path)).status
    expect([await statusOf(browser, own), await statusOf(ada, own)]).toEqual([200, 200])
    const [hidden, missing] = [await browser.ask(web.origin + foreign), await browser.ask(`${web.origin}/picture/x`)]
    expect([hidden.status, hidden.text]).toEqual([404, missing.text])
    await post(browser, '/dashboard/account/picture', { intent: 'remove' })
    expect((await person(user.email)).picture).toBeNull()
    expect(await statusOf(browser, own)).toBe(404)
  })
})

describe('sessions', () => {
  it('are listed with browser, address and times', async () => {
    const [session] = (await sessionsOf(ada)).filter(({ is_current }) => is_current)
    expect(session).toMatchObject({
      user_agent: expect.stringContaining('Firefox'),
      ip: '198.51.100.1',
    })
    const page = await account(ada)
    expect(page).toContain('Firefox/140.0')
  })

  it('end one by one, are refused at the next request, and need the password to come back', async () => {
    const { browser, user } = await join('two@example.test')
    const otherBrowser = await signIn(user.email)
    expect([await isSignedIn(browser), await isSignedIn(otherBrowser)]).toEqual([true, true])
    const ended = (await sessionsOf(browser)).find(({ is_current }) => !is_current)
    expect(await sessionsOf(browser)).toHaveLength(2)
    await post(browser, '/dashboard/account', { intent: 'end-session', id: ended?.id ?? '' })
    expect([await isSignedIn(browser), await isSignedIn(otherBrowser)]).toEqual([true, false])
    // The session of the embedded provider has ended as well.
    expect((await otherBrowser.open(`${web.origin}/login`)).text).toContain('name="password"')
  })

  it('are listed up to 100, this one among them', async () => {
    const { browser, user } = await join('many@example.test')
    const later = new Date(Date.now() + 3_600_000)
    const rows = Array.from({ length: 100 }, (_, index) => ({
      id: `many-${index}`,
      userId: user.id,
      lastSeenAt: later,
      expiresAt: later,
    }))
    await web.app.db.writeOne((tx) => tx.insert(sessions).values(rows))
    const listed = await sessionsOf(browser)
    expect(listed).toHaveLength(100)
    expect(listed[0]?.is_current).toBe(true)
  })

  it('cannot be ended by others', async () => {
    const { browser } = await join('three@example.test')
    const [foreign] = await sessionsOf(ada)
    await post(browser, '/dashboard/account', { intent: 'end-session', id: foreign?.id ?? '' })
    expect(await isSignedIn(ada)).toBe(true)
  })

  it('end all but the current one', async () => {
    const { browser, user } = await join('four@example.test')
    const others = [await signIn(user.email), await signIn(user.email)]
    await post(browser, '/dashboard/account', { intent: 'end-other-sessions' })
    expect(await sessionsOf(browser)).toMatchObject([{ is_current: true }])
    for (const item of others) expect(await isSignedIn(item)).toBe(false)
    expect([await isSignedIn(browser), await isSignedIn(ada)]).toEqual([true, true])
  })
})

describe('the password', () => {
  const change = (browser: Browser, current: string, next: string) =>
    post(browser, '/dashboard/account', {
      intent: 'change-password',
      current_password: current,
      new_password: next,
    })

  it('changes with the current one and ends other sessions and sign-ins, but no access tokens', async () => {
    const { browser, user } = await join('five@example.test')
    const otherBrowser = await signIn(user.email)
    const token = await issueToken(web.app, user.email)
    const bearer = await issueProviderToken(web.app, user.email)
    const statusOf = async (credential: string) =>
      (
        await fetch(`${web.origin}/v1/${organizationId}/collections`, {
          headers: { authorization: `Bearer ${credential}` },
        })
      ).status
    expect((await change(browser, 'not the password', 'a new long password')).status).toBe(400)
    expect((await change(browser, password, 'short')).status).toBe(400)
    expect(await isSignedIn(otherBrowser)).toBe(true)
    expect((await change(browser, password, 'a new long password')).status).toBe(200)
    expect([await isSignedIn(browser), await isSignedIn(otherBrowser)]).toEqual([true, false])
    expect([await statusOf(token), await statusOf(bearer)]).toEqual([200, 401])
    expect((await otherBrowser.open(`${web.origin}/login`)).text).toContain('name="password"')
    expect(await isSignedIn(await signIn(user.email))).toBe(false)
    expect(await isSignedIn(await signIn(user.email, 'a new long password'))).toBe(true)
  })

  it('cannot be guessed: attempts count with those of the sign-in', async () => {
    const { browser } = await join('six@example.test')
    const responses: string[] = []
    for (let attempt = 0; attempt < 12; attempt++)
      responses.push((await change(browser, `guess ${attempt}`, 'a new long password')).url)
    const last = await browser.open(`${web.origin}/dashboard/account.data`, {
      method: 'POST',
      headers: { origin: web.origin, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({
        intent: 'change-password',
        current_password: password,
        new_password: 'x'.repeat(12),
      }),
    })
    expect(last.text).toMatch(/Too many attempts\. Try again in \d+ seconds/)
    // Passwords are never sent back.
    expect(last.text).not.toContain(password)
    expect(await isSignedIn(await signIn('six@example.test', 'a new long password'))).toBe(false)
  })
})

describe('access tokens', () => {
  const headers = () => ({ origin: web.origin, 'sec-fetch-site': 'same-origin' })
  const create = (browser: Browser, values: Record<string, string>) =>
    browser.open(`${web.origin}/dashboard/account.data?dialog=token`, {
      method: 'POST',
      headers: headers(),
      body: new URLSearchParams({ intent: 'create-token', name: 'Reports', days: '30', ...values }),
    })

  it('are shown once and revoked', async () => {
    const { browser, user } = await join('seven@example.test')
    const [token = ''] = /sitelore_token_[\w-]{43}/.exec((await create(browser, { role: 'viewer' })).text) ?? []
    expect(token).not.toBe('')
    const page = await account(browser)
    expect(page).toContain('Reports')
    expect(page).not.toContain(token)
    const path = `${web.origin}/v1/${organizationId}/collections`
    const status = async () => (await fetch(path, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await status()).toBe(200)
    const [listed] = await web.app.services.accessTokens.list(system, user.id)
    // Somebody else's is a missing one.
    await post(ada, '/dashboard/account', { intent: 'revoke-token', id: listed?.id ?? '' })
    expect(await status()).toBe(200)
    await post(browser, '/dashboard/account', { intent: 'revoke-token', id: listed?.id ?? '' })
    expect(await status()).toBe(401)
  })

  it.each([
    ['without a name', { name: ' ' }],
    ['with a role above the own', { role: 'admin' }],
    ['with an unknown role', { role: 'owner' }],
    ['for a foreign organization', { organization_id: 'somewhere' }],
    ['for more than a year', { days: '366' }],
    ['for no time', { days: '' }],
  ])('are refused %s', async (_what, values) => {
    const { browser, user } = await join(`refused-${crypto.randomUUID()}@example.test`)
    expect((await create(browser, values)).status).toBe(400)
    expect(await web.app.services.accessTokens.list(system, user.id)).toEqual([])
  })
})

it('a lowered role and a removal take effect at the next request of a page, a bearer and a token', async () => {
  const { browser, user } = await join('eight@example.test', 'admin')
  const credentials = [await issueProviderToken(web.app, user.email), await issueToken(web.app, user.email)]
  const add = async (credential: string) =>
    (
      await fetch(`${web.origin}/v1/${organizationId}/collections`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Added', description: '' }),
      })
    ).status
  const states = async () => [
    (await browser.open(`${web.origin}/dashboard/members`)).status,
    await add(credentials[0] ?? ''),
    await add(credentials[1] ?? ''),
  ]
  const membership = { organizationId, userId: user.id }
  expect(await states()).toEqual([200, 201, 201])
  await web.app.services.members.changeRole(system, membership, { role: 'viewer' })
  expect(await states()).toEqual([403, 403, 403])
  await web.app.services.members.changeRole(system, membership, { role: 'admin' })
  expect((await states())[0]).toBe(200)
  await web.app.services.members.remove(system, membership)
  const page = await browser.ask(`${web.origin}/dashboard/members`)
  expect(page.headers.get('location')).toBe('/onboarding/organization')
  expect([await add(credentials[0] ?? ''), await add(credentials[1] ?? '')]).toEqual([404, 404])
})
