import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { jobs } from '../../../db/schema/jobs'
import { accounts, links, users } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import type { Runner } from '../../../workers/runner'
import { startTestWorkers } from '../../support/app'
import { type Browser, createBrowser } from '../../support/browser/browser'
import { type SmtpSink, startSmtpSink } from '../../support/people/smtp-sink'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const ada = { email: 'ada@example.test', name: 'Ada', surname: '', password: 'correct horse battery' }

let sink: SmtpSink
let site: WebSite
let runner: Runner
/** Each test has a network of its own, because requests of one network are limited. */
let network = 0

beforeAll(async () => {
  sink = await startSmtpSink()
  site = await startWebSite(signInRoutes, {
    SMTP_URL: sink.url,
    MAIL_FROM: 'Lamp search <ask@example.test>',
    SIGN_UP: 'open',
    TRUSTED_PROXIES: 'loopback',
  })
  const browser = newBrowser()
  await browser.submit(await browser.open((await site.app.identity.setupLink()) ?? ''), ada)
  runner = await startTestWorkers(site.app)
})
afterAll(async () => {
  await runner.stop()
  await site.close()
  await sink.close()
})
beforeEach(() => {
  network++
  sink.mails.length = 0
})

function newBrowser(): Browser {
  return createBrowser({ 'x-forwarded-for': `192.0.2.${network}` })
}

/** The link in the mail to this address. */
async function linkTo(address: string): Promise<string> {
  const { text } = await vi.waitFor(() => sink.mailTo(address), 10_000)
  return /https?:\/\/\S+\?token=\S+/.exec(text)?.[0] ?? expect.fail(`no link: ${text}`)
}

const shown = (page: { status: number; text: string }, email: string) => [
  page.status,
  page.text.replaceAll(email, 'THE ADDRESS').replaceAll(/interaction\/[\w-]+/g, 'interaction/ID'),
]

async function askForReset(email: string, browser = newBrowser()) {
  const signIn = await browser.open(`${site.origin}/login`)
  const form = await browser.open(`${signIn.url}/forgot`)
  expect(form.text).toContain('Send the link')
  return browser.submit(form, { email })
}

async function askForAccount(email: string, browser = newBrowser()) {
  return browser.submit(await browser.open(`${site.origin}/login?screen_hint=signup`), { email })
}

test('a forgotten password is reset with a mailed link', async () => {
  const page = await askForReset(' ADA@example.test ')
  expect(page.text).toContain('we sent it a link to choose a new password')
  const link = await linkTo(ada.email)
  expect(link).toMatch(new RegExp(`^${site.origin}/reset\\?token=`))
  const browser = newBrowser()
  const saved = await browser.submit(await browser.open(link), { password: 'another long password' })
  expect(saved.text).toContain('Your password was changed')
  await browser.submit(await browser.open(`${site.origin}/login`), { ...ada, password: 'another long password' })
  expect(browser.trail.at(-1)).toBe(`${site.origin}/onboarding/organization`)
})

test('a reset looks the same for known and unknown addresses, and only the known one gets an e-mail', async () => {
  await runner.stop()
  const known = await askForReset(ada.email)
  const unknown = await askForReset('nobody@example.test')
  expect(shown(unknown, 'nobody@example.test')).toEqual(shown(known, ada.email))
  expect(known.status).toBe(200)
  // The same work: one job each, whose handler looks for the account.
  const enqueued = await site.app.db.read
    .select({ payload: jobs.payload })
    .from(jobs)
    .where(eq(jobs.kind, 'mail-link'))
    .orderBy(jobs.createdAt)
  expect(enqueued.map(({ payload }) => payload)).toEqual([
    { purpose: 'reset', email: ada.email },
    { purpose: 'reset', email: 'nobody@example.test' },
  ])
  runner = await startTestWorkers(site.app)
  await runner.idle()
  const resets = sink.mails.filter(({ text }) => text.includes('/reset?'))
  expect(resets.map(({ recipients }) => recipients)).toEqual([[ada.email]])
  expect(await site.app.db.read.$count(jobs, eq(jobs.kind, 'mail-link'))).toBe(0)
})

test('an open sign-up continues with a mailed link, which verifies the address', async () => {
  const page = await askForAccount('Grace@example.test')
  expect(page.text).toContain('We sent a link to Grace@example.test. Open it to continue.')
  const link = await linkTo('grace@example.test')
  expect(link).toMatch(new RegExp(`^${site.origin}/verification\\?token=`))
  const browser = newBrowser()
  const form = await browser.open(link)
  expect(form.text).toContain('value="grace@example.test" autocomplete="username" maxlength="254" required readonly')
  await browser.submit(form, { name: 'Grace', surname: '', password: 'a password of her own' })
  expect(browser.trail.at(-1)).toBe(`${site.origin}/onboarding/organization`)
  const [account] = await site.app.db.read
    .select()
    .from(accounts)
    .where(eq(accounts.emailNormalized, 'grace@example.test'))
  expect(account).toMatchObject({ name: 'Grace', emailVerified: true })
  // The link has done its work: it creates no second account.
  expect((await newBrowser().open(link)).status).toBe(410)
})

test('a sign-up looks the same for known and unknown addresses; the mail to the known one differs', async () => {
  const known = await askForAccount(ada.email)
  const unknown = await askForAccount('newcomer@example.test')
  expect(shown(unknown, 'newcomer@example.test')).toEqual(shown(known, ada.email))
  const { headers, text } = await vi.waitFor(() => sink.mailTo(ada.email), 10_000)
  expect(headers.subject).toBe('You already have an account on Sitelore')
  expect(text).toContain(`${site.origin}/login`)
  expect(text).not.toContain('token=')
  await linkTo('newcomer@example.test')
})

test('a link cannot be used for another address', async () => {
  await askForAccount('edith@example.test')
  const browser = newBrowser()
  const form = await browser.open(await linkTo('edith@example.test'))
  await browser.submit(form, { email: 'victim@example.test', name: '', surname: '', password: 'a long password' })
  expect(await site.app.db.read.$count(accounts, eq(accounts.emailNormalized, 'victim@example.test'))).toBe(0)
  expect(await site.app.db.read.$count(accounts, eq(accounts.emailNormalized, 'edith@example.test'))).toBe(1)
})

test('an invitation to an organization admits only after the address is confirmed with a mailed link', async () => {
  const { organizations, invitations } = site.app.services
  const email = 'linus@example.test'
  const password = 'a password of his own'
  const organization = await organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { link } = await invitations.create(system, organization.id, { email, role: 'viewer' })
  const browser = newBrowser()
  await browser.submit(await browser.submit(await browser.open(link ?? '')), { name: '', surname: '', password })
  expect(browser.trail.at(-1)).toContain('error_description=You+need+to+verify+your+email')
  expect(await site.app.db.read.$count(users, eq(users.emailNormalized, email))).toBe(0)

  const confirmation = () => {
    const mail = sink.mails.find(
      ({ recipients, text }) => recipients.includes(email) && text.includes('/verification?'),
    )
    return /\S+\/verification\?\S+/.exec(mail?.text ?? '')?.[0] ?? expect.fail('no mail')
  }
  const question = await browser.open(await vi.waitFor(confirmation, 10_000))
  await browser.submit(question, { password })
  await browser.submit(await browser.open(`${site.origin}/login`), { email, password })
  expect(browser.trail.at(-1)).toBe(`${site.origin}/onboarding`)
  const [user] = (await site.app.services.accounts.list(system)).filter((item) => item.email === email)
  expect(user?.org_connections).toMatchObject([{ organization_id: organization.id, role: 'viewer' }])
})

test('an address that was never verified is confirmed with a mailed link before the sign-in', async () => {
  const email = 'grace@example.test'
  const password = 'a password of her own'
  await site.app.db.writeOne((tx) =>
    tx.update(accounts).set({ emailVerified: false }).where(eq(accounts.emailNormalized, email)),
  )
  const browser = newBrowser()
  await browser.submit(await browser.open(`${site.origin}/login`), { email, password })
  const landing = new URL(browser.trail.at(-1) ?? '')
  expect(landing.searchParams.get('error')).toBe('access_denied')
  expect(landing.searchParams.get('error_description')).toBe('You need to verify your email before logging in.')

  const otherBrowser = newBrowser()
  const question = await otherBrowser.open(await linkTo(email))
  expect(question.text).toContain(`confirm that ${email} is the address of your account.`)
  const isVerified = async () =>
    (await site.app.db.read.select().from(accounts).where(eq(accounts.emailNormalized, email)))[0]?.emailVerified
  // Opening the link changes nothing, because programs that check mail open links, too.
  expect(await isVerified()).toBe(false)
  // Nor does the owner of the address confirm an account that someone else created with it.
  expect((await otherBrowser.submit(question, { password: 'not the password' })).status).toBe(401)
  expect(await isVerified()).toBe(false)
  expect((await otherBrowser.submit(question, { password })).text).toContain('Your e-mail address is confirmed')
  expect(await isVerified()).toBe(true)
  expect((await otherBrowser.submit(question, { password })).status).toBe(410)
  await browser.submit(await browser.open(`${site.origin}/login`), { email, password })
  expect(browser.trail.at(-1)).toBe(`${site.origin}/onboarding/organization`)
})

test('mails to one address are limited, whether it has an account or not', async () => {
  for (const email of ['limited@example.test', 'ada-2@example.test']) {
    const statuses = []
    for (let request = 0; request < 5; request++) {
      network++
      statuses.push((await askForReset(email)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  }
})

test('mails that one network asks for are limited', async () => {
  const browser = newBrowser()
  const form = await browser.open(`${(await browser.open(`${site.origin}/login`)).url}/forgot`)
  const statuses = []
  for (let request = 0; request < 12; request++)
    statuses.push((await browser.submit(form, { email: `stranger-${request}@example.test` })).status)
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200))
  expect(statuses.slice(10)).toEqual([429, 429])
})

test('mails to visitors wait in bounded number', async () => {
  const waiting = { kind: 'mail-link', payload: {}, runAfter: new Date(Date.now() + 3_600_000) }
  await site.app.db.writeOne((tx) => tx.insert(jobs).values(Array.from({ length: 1_000 }, () => waiting)))
  for (const email of ['grace@example.test', 'waiting@example.test']) {
    const page = await askForReset(email)
    expect([page.status, page.text]).toEqual([503, expect.stringContaining('Too many e-mails are waiting to be sent.')])
  }
  await site.app.db.writeOne((tx) => tx.delete(jobs).where(eq(jobs.kind, 'mail-link')))
})

test('an e-mail that is rejected leaves neither a job nor a link that works twice', async () => {
  sink.reply = (command) => (command.startsWith('RCPT') ? '550 no such user' : null)
  await askForAccount('rejected@example.test')
  await runner.idle()
  sink.reply = () => null
  expect(sink.mails).toEqual([])
  expect(await site.app.db.read.$count(jobs, eq(jobs.kind, 'mail-link'))).toBe(0)
  expect(await site.app.db.read.$count(links, eq(links.email, 'rejected@example.test'))).toBe(1)
})

test('links come from PUBLIC_URL, whatever host a request names', async () => {
  const browser = createBrowser({ 'x-forwarded-for': `192.0.2.${network}`, 'x-forwarded-host': 'evil.example' })
  await askForAccount('forwarded@example.test', browser)
  expect(await linkTo('forwarded@example.test')).toMatch(new RegExp(`^${site.origin}/`))
  const { text, html } = sink.mailTo('forwarded@example.test')
  expect(text + html).not.toContain('evil')
})

test('an invalid address is refused before anything is sent', async () => {
  for (const email of ['', 'nobody', 'x@example.test\r\nBcc: y@example.test']) {
    const page = await askForReset(email)
    expect([email, page.status]).toEqual([email, 400])
    expect(page.text).toContain('id="email-error"')
  }
})
