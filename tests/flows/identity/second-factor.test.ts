import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accounts, sessions, users } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import { type Browser, createBrowser, type Visited } from '../../support/browser/browser'
import { createSoftPasskey } from '../../support/people/soft-passkey'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const password = 'correct horse battery'
const proof = { current_password: password }

let site: WebSite
let people = 0
beforeAll(async () => {
  site = await startWebSite(signInRoutes, { SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback', STAFF_MFA: 'on' })
  const owner = createBrowser()
  const form = await owner.open((await site.app.identity.setupLink()) ?? '')
  await owner.submit(form, { email: 'owner@example.test', name: '', surname: '', password })
})
afterAll(() => site.close())

let email = ''
let browser: Browser
beforeEach(async () => {
  email = `person-${++people}@example.test`
  browser = newBrowser()
  const form = await browser.open(`${site.origin}/login?screen_hint=signup`)
  await browser.submit(form, { email, name: '', surname: '', password })
})

/** Of another network than the others, whose attempts are counted together. */
function newBrowser(): Browser {
  return createBrowser({ 'x-forwarded-for': `192.0.2.${people}` })
}

/** A request of a page in the browser. */
function requestOf({ cookies }: Browser): Request {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return new Request(site.origin, { headers: { cookie } })
}

const ip = () => `192.0.2.${people}`
const own = () => site.app.identity.secondFactor
const isSignedIn = async (visitor: Browser) => (await site.app.identity.actorFromCookie(requestOf(visitor))) !== null

/** Codes of an app: of now, or of a number of steps later. */
function appOf(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return (steps = 0) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
}

async function setUpApp() {
  const { secret, setup } = await own().offerAuthenticator(requestOf(browser), ip(), proof)
  const code = appOf(secret)
  // The code of the step before, so that the one of now is not used yet.
  const codes = await own().setAuthenticator(requestOf(browser), { setup, code: code(-1) })
  return { code, codes: codes ?? [] }
}

async function addPasskey(passkey = createSoftPasskey(site.origin), name = 'Phone') {
  const { setup, options } = await own().offerPasskey(requestOf(browser), ip(), { ...proof, name })
  const codes = await own().addPasskey(requestOf(browser), { setup, credential: passkey.create(JSON.parse(options)) })
  return { passkey, codes }
}

async function enterPassword(visitor: Browser): Promise<Visited> {
  return visitor.submit(await visitor.open(`${site.origin}/login`), { email, password })
}

function passkeyOptions({ text }: Visited): { challenge: string; allowCredentials: { id: string }[] } {
  const [, json = ''] = /data-options="([^"]*)"/.exec(text) ?? []
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

describe('an authenticator app', () => {
  test('is asked for after the password, and each code works once', async () => {
    const { code } = await setUpApp()
    const visitor = newBrowser()
    const page = await enterPassword(visitor)
    expect(page.text).toContain('<h1>Confirm that it is you</h1>')
    expect(page.text).toContain('autocomplete="one-time-code"')
    expect(page.text).not.toContain('id="passkey"')
    expect(await isSignedIn(visitor)).toBe(false)

    const wrong = await visitor.submit(page, { code: code(-10) })
    expect(wrong.status).toBe(401)
    expect(wrong.text).toContain('Wrong code.')
    const used = code()
    await visitor.submit(wrong, { code: used })
    expect(await isSignedIn(visitor)).toBe(true)

    const second = newBrowser()
    const again = await second.submit(await enterPassword(second), { code: used })
    expect(again.status).toBe(401)
    expect(await isSignedIn(second)).toBe(false)
    // Clocks may differ by one step.
    await second.submit(again, { code: code(1) })
    expect(await isSignedIn(second)).toBe(true)
  })

  test('cannot be skipped: the second step needs the password of the same sign-in', async () => {
    const { code } = await setUpApp()
    const visitor = newBrowser()
    const form = await visitor.open(`${site.origin}/login`)
    const step = `${form.url}/second-step`
    expect((await visitor.ask(step)).headers.get('location')).toBe(new URL(form.url).pathname)
    const guess = await visitor.ask(step, {
      method: 'POST',
      body: new URLSearchParams({ code: code() }),
      headers: { origin: site.origin },
    })
    expect(guess.headers.get('location')).toBe(new URL(form.url).pathname)
    // Resuming before the second step is complete asks for the password again.
    await enterPassword(visitor)
    await visitor.open(form.url.replace('/oidc/interaction/', '/oidc/auth/'))
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('needs the password to be set up, and a code of the new secret', async () => {
    await expect(
      own().offerAuthenticator(requestOf(browser), ip(), { current_password: 'wrong password' }),
    ).rejects.toMatchObject({ code: 'invalid_input', message: 'Wrong password' })
    const { secret, uri, qrCode, setup } = await own().offerAuthenticator(requestOf(browser), ip(), proof)
    expect(uri).toContain(`secret=${secret}`)
    expect(uri).toContain(encodeURIComponent(email))
    expect(qrCode.path.length).toBeGreaterThan(1_000)
    for (const code of ['000000', appOf(secret)(-5)])
      await expect(own().setAuthenticator(requestOf(browser), { setup, code })).rejects.toThrow('Wrong code')
    const stranger = newBrowser()
    const form = await stranger.open(`${site.origin}/login?screen_hint=signup`)
    await stranger.submit(form, { email: `stranger-${people}@example.test`, name: '', surname: '', password })
    await expect(own().setAuthenticator(requestOf(stranger), { setup, code: appOf(secret)() })).rejects.toThrow(
      'This set-up has expired',
    )
    expect(await own().view(requestOf(browser))).toMatchObject({ authenticator: false, recovery_codes: 0 })
  })

  test('ends the sessions that were begun with the password alone, and its secret is stored sealed', async () => {
    const second = newBrowser()
    await enterPassword(second)
    const { secret, setup } = await own().offerAuthenticator(requestOf(browser), ip(), proof)
    await own().setAuthenticator(requestOf(browser), { setup, code: appOf(secret)() })
    expect(await isSignedIn(browser)).toBe(true)
    expect(await isSignedIn(second)).toBe(false)
    const [stored] = await site.app.db.read.select().from(accounts).where(eq(accounts.email, email))
    expect(JSON.stringify(stored)).not.toContain(secret)
  })

  test('slows down who guesses codes from several networks, by account', async () => {
    const { code } = await setUpApp()
    const statuses: number[] = []
    for (let guess = 0; guess < 11; guess++) {
      const visitor = createBrowser({ 'x-forwarded-for': `198.51.100.${guess}` })
      statuses.push((await visitor.submit(await enterPassword(visitor), { code: code(-20) })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })
})

describe('recovery codes', () => {
  test('come with the first second factor, and replace it once each', async () => {
    const { codes } = await setUpApp()
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    expect(codes[0]).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    const visitor = newBrowser()
    await visitor.submit(await enterPassword(visitor), { code: ` ${codes[0]?.toUpperCase().replaceAll('-', ' ')}` })
    expect(await isSignedIn(visitor)).toBe(true)
    expect(await own().view(requestOf(browser))).toMatchObject({ recovery_codes: 9 })
    const second = newBrowser()
    expect((await second.submit(await enterPassword(second), { code: codes[0] ?? '' })).status).toBe(401)
    // New ones replace the others.
    const fresh = await own().createRecoveryCodes(requestOf(browser), ip(), proof)
    expect((await second.submit(await enterPassword(second), { code: codes[1] ?? '' })).status).toBe(401)
    await second.submit(await enterPassword(second), { code: fresh[1] ?? '' })
    expect(await isSignedIn(second)).toBe(true)
    const stored = JSON.stringify(await site.app.db.read.select().from(accounts))
    for (const code of fresh) expect(stored).not.toContain(code)
  })

  test('take a second factor, and go with the last one', async () => {
    await expect(own().createRecoveryCodes(requestOf(browser), ip(), proof)).rejects.toMatchObject({ code: 'conflict' })
    await setUpApp()
    await own().removeAuthenticator(requestOf(browser), ip(), proof)
    expect(await own().view(requestOf(browser))).toMatchObject({ authenticator: false, recovery_codes: 0 })
    const visitor = newBrowser()
    await enterPassword(visitor)
    expect(await isSignedIn(visitor)).toBe(true)
  })
})

describe('a passkey', () => {
  test('is a second factor', async () => {
    const { passkey, codes } = await addPasskey()
    expect(codes).toHaveLength(10)
    const visitor = newBrowser()
    const page = await enterPassword(visitor)
    expect(page.text).toContain('Recovery code')
    const options = passkeyOptions(page)
    expect(options.allowCredentials).toMatchObject([{ id: passkey.id }])
    await visitor.submit(page, { credential: passkey.get(options) })
    expect(await isSignedIn(visitor)).toBe(true)
    const [listed] = (await own().view(requestOf(browser)))?.passkeys ?? []
    expect(listed).toMatchObject({ name: 'Phone', last_used_at: expect.any(String) })
  })

  test('logs in without the password, and only if it verified the person', async () => {
    const { passkey } = await addPasskey()
    const visitor = newBrowser()
    const form = await visitor.open(`${site.origin}/login`)
    expect(form.text).toContain('Log in with a passkey')
    const asPasskey = (page: Visited) => ({
      ...page,
      text: page.text.slice(page.text.lastIndexOf('<form', page.text.indexOf('id="passkey"'))),
    })
    await visitor.submit(asPasskey(form), { credential: passkey.get(passkeyOptions(form)) })
    expect(await isSignedIn(visitor)).toBe(true)
    const [signIn] = await site.app.identity.account.signIns(requestOf(visitor))
    expect(signIn).toMatchObject({ methods: ['passkey'], ip: ip() })

    const { passkey: careless } = await addPasskey(createSoftPasskey(site.origin, { verifiesPerson: false }), 'Key')
    const second = newBrowser()
    const again = await second.open(`${site.origin}/login`)
    const refused = await second.submit(asPasskey(again), { credential: careless.get(passkeyOptions(again)) })
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('The passkey was not accepted. Log in with your password.')
    // After the password, it is enough.
    const page = await enterPassword(second)
    await second.submit(page, { credential: careless.get(passkeyOptions(page)) })
    expect(await isSignedIn(second)).toBe(true)
  })

  test('is refused for another challenge, another site, another account, or a count that did not grow', async () => {
    const { passkey } = await addPasskey()
    const visitor = newBrowser()
    const page = await enterPassword(visitor)
    const first = passkey.get(passkeyOptions(page))
    const attempts: [string, string][] = [
      ['another challenge', passkey.get({ challenge: 'AAAA' })],
      ['another site', passkey.get(passkeyOptions(page), { from: 'https://lamps.example' })],
      ['another passkey', createSoftPasskey(site.origin).get(passkeyOptions(page))],
      ['no passkey', '{"id":"x"}'],
      ['no JSON', 'x'],
      ['a number', '1'],
    ]
    for (const [what, credential] of attempts) {
      const answer = await visitor.submit(await enterPassword(visitor), { credential })
      expect([what, answer.status]).toEqual([what, 401])
    }
    // The challenge of a page works until the page is shown again.
    await visitor.open(page.url)
    expect((await visitor.submit(page, { credential: first })).status).toBe(401)
    const next = await enterPassword(visitor)
    await visitor.submit(next, { credential: passkey.get(passkeyOptions(next)) })
    expect(await isSignedIn(visitor)).toBe(true)
    const copy = newBrowser()
    const last = await enterPassword(copy)
    const answer = await copy.submit(last, { credential: passkey.get(passkeyOptions(last), { counts: false }) })
    expect(answer.status).toBe(401)
  })

  test('is removed by its owner alone, with the password', async () => {
    const { passkey } = await addPasskey()
    const owner = requestOf(browser)
    await expect(own().removePasskey(owner, ip(), passkey.id, { current_password: 'wrong password' })).rejects.toThrow(
      'Wrong password',
    )
    await expect(own().removePasskey(owner, ip(), 'unknown', proof)).rejects.toMatchObject({ code: 'not_found' })
    await own().removePasskey(owner, ip(), passkey.id, proof)
    const visitor = newBrowser()
    await enterPassword(visitor)
    expect(await isSignedIn(visitor)).toBe(true)
  })
})

describe('a required second factor', () => {
  const dashboard = (visitor: Browser) => visitor.ask(`${site.origin}/dashboard`)

  test('closes an organization to members without one, until they set one up', async () => {
    const actor = (await site.app.identity.actorFromCookie(requestOf(browser)))?.actor
    if (!actor) throw new Error('Nobody is signed in.')
    const { id } = await site.app.services.organizations.create(actor, { name: 'Fennel', entity_name: '' })
    const administrator = (await site.app.identity.actorFromCookie(requestOf(browser)))?.actor ?? actor
    const require = (who = administrator) =>
      site.app.services.organizations.update(who, id, { requires_second_factor: true })
    await expect(require()).rejects.toThrow('Set up a second factor of your own first')
    expect(await site.app.services.members.withoutSecondFactor(administrator, id)).toBe(1)
    await setUpApp()
    expect(await require()).toMatchObject({ requires_second_factor: true })
    expect(await site.app.services.members.withoutSecondFactor(administrator, id)).toBe(0)
    const token = await site.app.services.accessTokens.create(administrator, administrator.userId, {
      name: 'Script',
      role: null,
      organization_id: null,
      days: 30,
    })
    const call = () =>
      fetch(`${site.origin}/v1/organizations/${id}`, { headers: { authorization: `Bearer ${token.token}` } })
    expect((await call()).status).toBe(200)

    await own().removeAuthenticator(requestOf(browser), ip(), proof)
    expect((await dashboard(browser)).headers.get('location')).toBe('/second-factor')
    const refused = await call()
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain(
      'This organization requires a second factor. Set one up on the page of your account.',
    )
    await setUpApp()
    expect((await dashboard(browser)).headers.get('location')).not.toBe('/second-factor')
    expect((await call()).status).toBe(200)
    const event = (await site.app.services.audit.list(system, id)).find(
      ({ action }) => action === 'organization.edited',
    )
    expect(JSON.stringify(event?.changes)).toContain('requires')
  })

  test('closes the back office to platform administrators without one', async () => {
    await site.app.services.accounts.promote(system, email)
    const signedIn = async () => (await site.app.identity.actorFromCookie(requestOf(browser)))?.actor
    const before = await signedIn()
    expect(before).toMatchObject({ staff: false, lacksSecondFactor: { staff: true, organizationIds: [] } })
    await expect(site.app.services.accounts.list(before ?? system)).rejects.toMatchObject({ code: 'forbidden' })
    // The organizations that they create have no limits all the same.
    if (before) {
      const created = await site.app.services.organizations.create(before, { name: 'Sorrel', entity_name: '' })
      expect(created.plan.name).toBe('unlimited')
    }
    await setUpApp()
    expect(await signedIn()).toMatchObject({ staff: true })
    expect(await signedIn()).not.toHaveProperty('lacksSecondFactor')
  })

  test('does not concern people of an external provider', async () => {
    await site.app.services.accounts.promote(system, email)
    await site.app.db.write((tx) =>
      tx.update(users).set({ issuer: 'https://login.example' }).where(eq(users.email, email)),
    )
    expect((await site.app.identity.actorFromCookie(requestOf(browser)))?.actor).toMatchObject({ staff: true })
  })
})

test('the operator removes the second factors of an account, and the log says so', async () => {
  await setUpApp()
  await addPasskey()
  await site.app.identity.resetSecondFactor(email)
  const visitor = newBrowser()
  await enterPassword(visitor)
  expect(await isSignedIn(visitor)).toBe(true)
  expect(await own().view(requestOf(browser))).toMatchObject({ authenticator: false, passkeys: [], recovery_codes: 0 })
  await expect(site.app.identity.resetSecondFactor('nobody@example.test')).rejects.toMatchObject({ code: 'not_found' })
})

test('a person sees their last sign-ins, with the browser and how they proved who they are', async () => {
  const { code } = await setUpApp()
  const visitor = newBrowser()
  await visitor.submit(await enterPassword(visitor), { code: code() })
  const listed = await site.app.identity.account.signIns(requestOf(visitor))
  expect(listed).toMatchObject([
    { methods: ['pwd', 'otp'], ip: ip() },
    { methods: ['pwd'], ip: ip() },
  ])
  expect(await site.app.db.read.$count(sessions)).toBeGreaterThan(0)
})
