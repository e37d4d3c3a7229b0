import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIns } from '../../../db/schema/users'
import type { Runner } from '../../../workers/runner'
import { startTestWorkers } from '../../support/app'
import { type Browser, createBrowser } from '../../support/browser/browser'
import { type SmtpSink, startSmtpSink } from '../../support/people/smtp-sink'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const ada = { email: 'ada@example.test', name: '', surname: '', password: 'correct horse battery' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let sink: SmtpSink
let site: WebSite
let runner: Runner
let owner: Browser
beforeAll(async () => {
  sink = await startSmtpSink()
  site = await startWebSite(signInRoutes, { SMTP_URL: sink.url, MAIL_FROM: 'ask@example.test' })
  runner = await startTestWorkers(site.app)
  owner = createBrowser()
  await owner.submit(await owner.open((await site.app.identity.setupLink()) ?? ''), ada)
})
afterAll(async () => {
  await runner.stop()
  await site.close()
  await sink.close()
})

async function logIn(browser: Browser) {
  await browser.submit(await browser.open(`${site.origin}/login`), ada)
  await runner.idle()
}

test('a sign-in from a new browser sends an e-mail, others send none', async () => {
  await runner.idle()
  expect(sink.mails).toEqual([])
  const browser = createBrowser({ 'user-agent': firefox })
  await logIn(browser)
  expect(sink.mails).toHaveLength(1)
  const mail = sink.mailTo(ada.email)
  expect(mail.headers.subject).toBe('New sign-in to Sitelore')
  expect(mail.text).toContain('Firefox on Linux, 127.0.0.1')
  expect(mail.text).toContain(`${site.origin}/dashboard/account`)

  // The cookie recognizes the browser after it was signed out, and says nothing else.
  const device = browser.cookies.find(({ name }) => name === 'sitelore-device')
  expect(device?.attributes).toMatch(/HttpOnly; SameSite=Lax/)
  const again = createBrowser({ 'user-agent': firefox })
  again.cookies.push(...browser.cookies.filter(({ name }) => name === 'sitelore-device'))
  await logIn(again)
  expect(sink.mails).toHaveLength(1)
})

test('a browser that was not used for 90 days is new', async () => {
  const browser = createBrowser()
  await logIn(browser)
  const before = sink.mails.length
  const old = new Date(Date.now() - 91 * 24 * 3_600_000)
  const [latest] = await site.app.identity.account.signIns(requestOf(browser))
  await site.app.db.write((tx) =>
    tx
      .update(signIns)
      .set({ createdAt: old })
      .where(eq(signIns.id, latest?.id ?? '')),
  )
  await site.app.identity.sweep()
  const later = createBrowser()
  later.cookies.push(...browser.cookies.filter(({ name }) => name === 'sitelore-device'))
  await logIn(later)
  expect(sink.mails).toHaveLength(before + 1)
})

test('keeps the last 100 sign-ins, and shows 20', async () => {
  const [latest] = await site.app.identity.account.signIns(requestOf(owner))
  const [row] = await site.app.db.read
    .select()
    .from(signIns)
    .where(eq(signIns.id, latest?.id ?? ''))
  const userId = row?.userId ?? ''
  const old = Array.from({ length: 120 }, (_, n) => ({ userId, device: 'x', createdAt: new Date(1e12 + n) }))
  await site.app.db.write((tx) => tx.insert(signIns).values(old))
  await logIn(createBrowser())
  expect(await site.app.db.read.$count(signIns, eq(signIns.userId, userId))).toBe(100)
  const listed = await site.app.identity.account.signIns(requestOf(owner))
  expect(listed).toHaveLength(20)
  expect(listed[0]).toMatchObject({ methods: ['pwd'] })
})

test('a changed second factor sends an e-mail', async () => {
  const { secondFactor } = site.app.identity
  const proof = { current_password: ada.password }
  const { secret, setup } = await secondFactor.offerAuthenticator(requestOf(owner), '127.0.0.1', proof)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await secondFactor.setAuthenticator(requestOf(owner), { setup, code })
  expect(sink.mailTo(ada.email).text).toContain('An authenticator app was set up for your account')
  await secondFactor.removeAuthenticator(requestOf(owner), '127.0.0.1', proof)
  expect(sink.mailTo(ada.email).text).toContain('The authenticator app was removed from your account')
})

function requestOf({ cookies }: Browser): Request {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return new Request(site.origin, { headers: { cookie } })
}
