import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { invitationViewSchema } from '../../../contract/views/organizations/member'
import { jobs } from '../../../db/schema/jobs'
import { organizations } from '../../../db/schema/organizations'
import { createTestApp, type TestApp } from '../../support/app'
import { createPerson } from '../../support/people/people'
import { type SmtpSink, startSmtpSink } from '../../support/people/smtp-sink'

const publicUrl = 'https://ask.example.test'
let sink: SmtpSink
let world: TestApp
let admin: Awaited<ReturnType<typeof createPerson>>
let organizationId: string
let people = 0

beforeAll(async () => {
  sink = await startSmtpSink()
  world = await createTestApp({ SMTP_URL: sink.url, MAIL_FROM: 'ask@example.test', PUBLIC_URL: publicUrl })
})
afterAll(async () => {
  await world.close()
  await sink.close()
})
beforeEach(async () => {
  sink.reply = () => null
  sink.mails.length = 0
  const person = await createPerson(world.app)
  const created = await world.app.services.organizations.create(person, { name: 'Fennel', entity_name: '' })
  organizationId = created.id
  admin = { ...person, memberships: [{ organizationId, role: 'admin' }] }
})

const newEmail = () => `grace-${++people}@example.test`
const invite = (email = newEmail()) =>
  world.app.services.invitations.create(admin, organizationId, { email, role: 'viewer' })
async function statusOf(id: string) {
  const { docs: listed } = await world.app.services.invitations.list(admin, organizationId, { page: 1, limit: 100 })
  return listed.find((item) => item.id === id)?.mail_status
}
const jobsOf = (id: string) =>
  world.app.db.read
    .select()
    .from(jobs)
    .where(eq(jobs.kind, 'mail-invitation'))
    .then((rows) => rows.filter(({ payload }) => payload.invitationId === id))

test('an invitation is mailed, with its link', async () => {
  const invitation = invitationViewSchema.parse(await invite())
  expect(invitation.mail_status).toBe('queued')
  const mail = await vi.waitFor(() => sink.mailTo(invitation.email), 10_000)
  expect(mail.from).toBe('ask@example.test')
  expect(mail.headers).toMatchObject({
    from: 'ask@example.test',
    to: invitation.email,
    subject: 'Join “Fennel” on Sitelore',
    'auto-submitted': 'auto-generated',
  })
  expect(mail.text).toContain('You have been invited to join “Fennel” on Sitelore as Viewer.')
  expect(mail.text).toContain(`\n${invitation.link}\n`)
  expect(mail.html).toContain(`href="${invitation.link}"`)
  await vi.waitFor(async () => expect(await statusOf(invitation.id)).toBe('sent'), 10_000)
  await vi.waitFor(async () => expect(await jobsOf(invitation.id)).toEqual([]), 10_000)
})

test('an e-mail says nothing of the machine, and loads nothing', async () => {
  const { email, link } = await invite()
  const { raw, html } = await vi.waitFor(() => sink.mailTo(email), 10_000)
  expect(sink.commands.filter((command) => command.startsWith('EHLO')).at(-1)).toBe('EHLO ask.example.test')
  expect(raw).not.toMatch(/x-mailer|nodemailer|127\.0\.0\.1/i)
  expect(html).not.toMatch(/<img|<script|<link|url\(|src=/i)
  const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(hrefs).toEqual([link])
})

test.each([
  ['line breaks', 'Fennel\r\nBcc: victim@example.test\r\n\r\nHello'],
  ['markup', '<a href="https://evil.example">"Fennel" & co</a>'],
  ['an address', 'Log in at https://evil.example/login'],
  ['separators', 'Fennel\u2028Bcc: victim@example.test, <b@example.test>'],
  ['letters beyond ASCII', 'Größe 東京 😀'.repeat(3)],
])('an organization name with %s changes neither the headers nor the markup', async (_what, name) => {
  await world.app.db.writeOne((tx) =>
    tx.update(organizations).set({ name }).where(eq(organizations.id, organizationId)),
  )
  const { email } = await invite()
  const { headers, recipients, text, html } = await vi.waitFor(() => sink.mailTo(email), 10_000)
  const shown = `“${name.replaceAll(/[\p{Cc}\u2028]+|:\/\//gu, ' ')}”`
  expect(headers.subject).toBe(`Join ${shown} on Sitelore`)
  expect(Object.keys(headers).sort()).toEqual(
    ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
  )
  expect([headers.to, recipients]).toEqual([email, [email]])
  expect(text).toContain(`join ${shown} on Sitelore as Viewer.`)
  expect(html.match(/<a /g)).toHaveLength(1)
  expect(html).not.toContain('evil.example">"')
  expect(`${headers.subject}${text}`).not.toContain('://evil')
})

test.each(['a,b@example.test', 'a<b>c@example.test', 'a;b@example.test', 'grüße@example.test'])(
  '%s is one recipient',
  async (email) => {
    await invite(email)
    await vi.waitFor(() => expect(sink.mails).toHaveLength(1), 10_000)
    expect(sink.mails[0]?.recipients).toHaveLength(1)
  },
)

test('an e-mail that cannot be sent is visible, and sent by a later attempt', async () => {
  sink.reply = (command) => (command.startsWith('MAIL') ? '451 try again later' : null)
  const { id, email, link } = await invite()
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('failed'), 10_000)
  expect(link).toContain(`${publicUrl}/invitation?token=`)
  await vi.waitFor(async () => expect(await jobsOf(id)).toMatchObject([{ status: 'queued', attempts: 1 }]), 10_000)
  sink.reply = () => null
  await world.app.db.writeOne((tx) => tx.update(jobs).set({ runAfter: new Date(0) }))
  await vi.waitFor(() => sink.mailTo(email), 10_000)
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('sent'), 10_000)
})

test('a rejected mail is not tried again', async () => {
  sink.reply = (command) => (command.startsWith('RCPT') ? '550 no such user' : null)
  const { id } = await invite()
  await vi.waitFor(async () => expect(await jobsOf(id)).toMatchObject([{ status: 'failed', attempts: 1 }]), 10_000)
  expect(await statusOf(id)).toBe('failed')
  // The failed job remains for the operator for a day.
  await world.app.services.retention.sweep(new AbortController().signal)
  expect(await jobsOf(id)).toHaveLength(1)
  const yesterday = { createdAt: new Date(Date.now() - 25 * 3_600_000) }
  await world.app.db.writeOne((tx) => tx.update(jobs).set(yesterday).where(eq(jobs.status, 'failed')))
  await world.app.services.retention.sweep(new AbortController().signal)
  expect(await jobsOf(id)).toEqual([])
})

test('a mail server that does not answer delays no request', async () => {
  sink.reply = () => ''
  const { id, mail_status: status } = await invite()
  expect(status).toBe('queued')
  await vi.waitFor(() => expect(sink.commands.at(-1)).toMatch(/^EHLO/), 10_000)
  expect(await statusOf(id)).toBe('queued')
  await world.app.services.invitations.revoke(admin, { organizationId, invitationId: id })
  sink.disconnect()
})

test('a revoked invitation is not mailed', async () => {
  await world.runner.idle()
  await world.runner.stop()
  const { id } = await invite()
  await world.app.services.invitations.revoke(admin, { organizationId, invitationId: id })
  await world.app.services.invitations.mail(id)
  expect(sink.mails).toEqual([])
})

test('mails to one address are limited; the link is there to copy', async () => {
  const email = newEmail()
  const statuses = []
  for (let attempt = 0; attempt < 4; attempt++) statuses.push((await invite(email)).mail_status)
  expect(statuses).toEqual(['queued', 'queued', 'queued', 'failed'])
})

test('mails of one person are limited', async () => {
  const statuses = []
  for (let attempt = 0; attempt < 51; attempt++) statuses.push((await invite()).mail_status)
  expect(statuses).toEqual([...Array(50).fill('queued'), 'failed'])
})
