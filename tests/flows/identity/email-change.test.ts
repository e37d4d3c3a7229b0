import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { accounts, users } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import { type Browser, createBrowser } from '../../support/browser/browser'
import { shownFields } from '../../support/browser/shown-organization'
import { type SmtpSink, startSmtpSink } from '../../support/people/smtp-sink'
import { pageRoutes } from '../../support/web/page-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const password = 'correct horse battery'
const answers = { goals: 'just_trying', sector: 'retail', position: 'sales', size: 'Solo (1)', source: 'search' }
let sink: SmtpSink
let web: WebSite
let clients = 0
let organizationId = ''
const openBrowser = () => createBrowser({ 'x-forwarded-for': `198.51.100.${++clients}` })

beforeAll(async () => {
  sink = await startSmtpSink()
  const settings = { SMTP_URL: sink.url, MAIL_FROM: 'ask@example.test', TRUSTED_PROXIES: '127.0.0.1' }
  web = await startWebSite(await pageRoutes(), settings)
  const admin = openBrowser()
  const setUp = await admin.open((await web.app.identity.setupLink()) ?? '')
  await admin.submit(setUp, { email: 'admin@example.test', name: '', surname: '', password })
  await post(admin, '/onboarding/organization', { name: 'Lamps' })
  await post(admin, '/onboarding?index', answers)
  const { org_connections: connections } = await web.app.services.accounts.find(system, 'admin@example.test')
  organizationId = connections[0]?.organization_id ?? ''
})
beforeEach(() => {
  sink.mails.length = 0
})
afterAll(async () => {
  await web?.close()
  await sink?.close()
})

async function post(browser: Browser, path: string, values: Record<string, string>) {
  const headers = { origin: web.origin, 'sec-fetch-site': 'same-origin' }
  const body = new URLSearchParams({ ...(await shownFields(web, browser)), ...values })
  return browser.open(web.origin + path, { method: 'POST', headers, body })
}

async function join(email: string): Promise<Browser> {
  const { link } = await web.app.services.invitations.create(system, organizationId, { email, role: 'viewer' })
  const browser = openBrowser()
  const operatorLink = await web.app.identity.invitationLink(email)
  await browser.submit(await browser.open(operatorLink), { name: '', surname: '', password })
  await browser.submit(await browser.open(link ?? ''))
  sink.mails.length = 0
  return browser
}

const change = (browser: Browser, email: string, secret = password) =>
  post(browser, '/dashboard/account', { intent: 'change-email', email, current_password: secret })
const confirm = (browser: Browser, token: string) =>
  post(browser, '/dashboard/account', { intent: 'confirm-email', token })
const tokenTo = async (address: string) =>
  /\/dashboard\/account\?confirm=([\w-]{43})/.exec((await vi.waitFor(() => sink.mailTo(address))).text)?.[1] ?? ''
const addresses = async () => ({
  users: (await web.app.db.read.select().from(users)).map(({ email }) => email),
  accounts: (await web.app.db.read.select().from(accounts)).map(({ email }) => email),
})

async function canSignIn(email: string): Promise<boolean> {
  const browser = openBrowser()
  await browser.submit(await browser.open(`${web.origin}/login`), { email, password })
  return (await browser.ask(`${web.origin}/dashboard/account`)).headers.get('location') !== '/'
}

it('changes the address once the new one has confirmed it, and tells the former', async () => {
  const browser = await join('one@example.test')
  await change(browser, 'One.New@example.test')
  expect((await addresses()).users).toContain('one@example.test')
  const token = await tokenTo('One.New@example.test')
  const dialog = await browser.open(`${web.origin}/dashboard/account?confirm=${token}`)
  expect(dialog.status).toBe(200)
  // Opening the link changes nothing: programs open links in mails.
  expect((await addresses()).users).toContain('one@example.test')
  await confirm(browser, token)
  const after = await addresses()
  expect([after.users, after.accounts].map((all) => all.includes('One.New@example.test'))).toEqual([true, true])
  expect(after.users).not.toContain('one@example.test')
  expect(sink.mailTo('one@example.test').text).toContain('One.New@example.test')
  expect([await canSignIn('one@example.test'), await canSignIn('one.new@example.test')]).toEqual([false, true])
})

it('needs the password, and the session of the same person', async () => {
  const browser = await join('two@example.test')
  const otherBrowser = await join('three@example.test')
  expect((await change(browser, 'two.new@example.test', 'a wrong password')).status).toBe(400)
  expect((await change(browser, 'no address')).status).toBe(400)
  expect(sink.mails).toEqual([])
  await change(browser, 'two.new@example.test')
  const token = await tokenTo('two.new@example.test')
  await confirm(otherBrowser, token)
  await confirm(openBrowser(), token)
  expect((await addresses()).users).not.toContain('two.new@example.test')
})

it('takes only the latest link, once', async () => {
  const browser = await join('four@example.test')
  await change(browser, 'four.a@example.test')
  const former = await tokenTo('four.a@example.test')
  await change(browser, 'four.b@example.test')
  await confirm(browser, former)
  expect((await addresses()).users).toContain('four@example.test')
  const token = await tokenTo('four.b@example.test')
  await confirm(browser, token)
  expect((await addresses()).users).toContain('four.b@example.test')
  await change(browser, 'four.c@example.test')
  await confirm(browser, token)
  expect((await addresses()).users).toContain('four.b@example.test')
})

it('does not take a link after 24 hours', async () => {
  const browser = await join('five@example.test')
  await change(browser, 'five.new@example.test')
  await web.app.db.writeOne((tx) => tx.update(accounts).set({ pendingEmailExpiresAt: new Date(Date.now() - 1) }))
  await confirm(browser, await tokenTo('five.new@example.test'))
  expect((await addresses()).users).toContain('five@example.test')
})

it('answers the same for an address of someone else, and does not take it', async () => {
  const browser = await join('six@example.test')
  const free = await change(browser, 'six.new@example.test')
  const taken = await change(browser, 'admin@example.test')
  expect([taken.status, taken.url]).toEqual([free.status, free.url])
  await confirm(browser, await tokenTo('admin@example.test'))
  expect((await addresses()).users).toContain('six@example.test')
})

it('is not offered without a mail server', async () => {
  const site = await startWebSite(await pageRoutes())
  try {
    const browser = createBrowser()
    const setUp = await browser.open((await site.app.identity.setupLink()) ?? '')
    await browser.submit(setUp, { email: 'admin@example.test', name: '', surname: '', password })
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const request = new Request(site.origin, { headers: { cookie } })
    const input = { email: 'new@example.test', current_password: password }
    await expect(site.app.identity.account.requestEmail(request, '127.0.0.1', input)).rejects.toMatchObject({
      code: 'conflict',
    })
  } finally {
    await site.close()
  }
})
