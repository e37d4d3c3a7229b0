import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chromium } from '../../support/browser/chromium'
import { axeFindings } from '../../support/browser/newcomer'
import { createAccount, invitedPassword, startTwoPeople, type TwoPeople } from '../../support/browser/two-people'
import { type SmtpSink, startSmtpSink } from '../../support/people/smtp-sink'
import type { BuiltServer } from '../../support/web/server'

describe.skipIf(chromium === null)('a server that sends mail, in two browsers', () => {
  let sink: SmtpSink
  let people: TwoPeople
  let server: BuiltServer
  let admin: Page
  let guest: Page

  beforeAll(async () => {
    sink = await startSmtpSink()
    const environment = { SMTP_URL: sink.url, MAIL_FROM: 'Sitelore <ask@example.com>' }
    people = await startTwoPeople({ environment })
    server = people.server
    admin = people.ada.page
    guest = people.grace.page
  }, 180_000)
  afterAll(async () => {
    await people?.close()
    await sink?.close()
  })

  async function invite(email: string) {
    await admin.goto(`${server.origin}/dashboard/members?dialog=invite`)
    await admin.waitForLoadState('networkidle')
    await admin.getByText('Sends an invitation link to this e-mail address').waitFor()
    await admin.getByLabel('E-mail').fill(email)
    await admin.getByRole('button', { name: 'Create invitation' }).click()
    await admin.getByText(`Invitation for ${email} created. We are sending it.`).waitFor()
    return admin.getByRole('row').filter({ hasText: email })
  }

  async function linkTo(address: string): Promise<string> {
    const { text } = await vi.waitFor(() => sink.mailTo(address), 20_000)
    return /http\S+\?token=\S+/.exec(text)?.[0] ?? expect.fail(`no link: ${text}`)
  }

  it('mails an invitation, which makes a member', async () => {
    const row = await invite('grace@example.com')
    await row.getByText('The link was sent.').waitFor()
    expect(await axeFindings(admin)).toEqual([])
    const link = await linkTo('grace@example.com')
    sink.mails.length = 0
    await createAccount(guest, link)
    // The administrator can read the link, too, so it does not confirm the address.
    await guest.getByText('You need to verify your email address before logging in.').waitFor()
    await guest.goto(await linkTo('grace@example.com'))
    await guest.getByLabel('Password').fill(invitedPassword)
    await guest.getByRole('button').click()
    await guest.goto(`${server.origin}/login`)
    await guest.getByLabel('E-mail').fill('grace@example.com')
    await guest.getByLabel('Password').fill(invitedPassword)
    await guest.getByRole('button', { name: 'Log in' }).click()
    await guest.waitForURL('**/dashboard')
  })

  it('shows that an e-mail could not be sent, and keeps the link', async () => {
    sink.reply = (command) => (command.startsWith('RCPT') ? '550 no such user' : null)
    const row = await invite('nobody@example.com')
    await row.getByText('The e-mail could not be sent. Copy the link instead.').waitFor()
    await expect
      .poll(() => admin.getByLabel('Link for nobody@example.com').inputValue())
      .toContain('/invitation?token=')
    expect(await axeFindings(admin)).toEqual([])
    sink.reply = () => null
  })

  it('resets a forgotten password with a mailed link', async () => {
    await guest.context().clearCookies()
    await guest.goto(`${server.origin}/login`)
    await guest.getByRole('link', { name: 'Forgot your password?' }).click()
    await guest.getByLabel('E-mail').fill('grace@example.com')
    expect(await axeFindings(guest)).toEqual([])
    sink.mails.length = 0
    await guest.getByRole('button', { name: 'Send the link' }).click()
    await guest.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
    expect(await axeFindings(guest)).toEqual([])
    await guest.goto(await linkTo('grace@example.com'))
    await guest.getByLabel('New password').fill('another long password')
    await guest.getByRole('button', { name: 'Save password' }).click()
    await guest.getByRole('link', { name: 'Log in' }).click()
    await guest.getByLabel('E-mail').fill('grace@example.com')
    await guest.getByLabel('Password').fill('another long password')
    await guest.getByRole('button', { name: 'Log in' }).click()
    await guest.waitForURL('**/dashboard')
  })
})
