import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../../support/browser/chromium'
import { axeFindings, type OpenBrowser, openBrowser, signIn } from '../../support/browser/newcomer'
import { type BuiltServer, startServerWithAccount } from '../../support/web/server'

const password = 'correct horse battery staple'

describe.skipIf(chromium === null)('a second factor in the browser', () => {
  let server: BuiltServer
  let browser: OpenBrowser
  let page: Page
  let code = (_steps: number) => ''

  beforeAll(async () => {
    server = await startServerWithAccount({ STAFF_MFA: 'on' })
    browser = await openBrowser((text) => /status of 40[01]/.test(text))
    page = browser.page
    await signIn(page, server)
    // A passkey in software, which verifies the person.
    const devtools = await browser.context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }, 180_000)
  afterAll(async () => {
    expect(browser?.problems).toEqual([])
    await browser?.close()
    expect(await server?.stop()).toBe(0)
  })

  const enterPassword = async () => {
    await page.goto(`${server.origin}/login`)
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.locator('#password').fill(password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
  }

  it('is asked for before the back office opens', async () => {
    await page.goto(`${server.origin}/admin`)
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/second-factor')
    await page.getByText('The back office requires one').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  it('is set up with an app, after the password and a code', async () => {
    await page.getByRole('link', { name: 'Set up authenticator app' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill('a wrong password')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Wrong password').first().waitFor()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByLabel('QR code for the authenticator app').waitFor()
    expect(await axeFindings(page)).toEqual([])
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    code = (steps) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
    await dialog.getByLabel('Code', { exact: true }).fill(code(-9))
    await dialog.getByRole('button', { name: 'Set up' }).click()
    await dialog.getByText('Wrong code.').first().waitFor()
    await dialog.getByLabel('QR code for the authenticator app').waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill(code(-1))
    await dialog.getByRole('button', { name: 'Set up' }).click()
    const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
    await codes.waitFor()
    expect(await codes.getByLabel('Recovery codes').getByRole('listitem').count()).toBe(10)
    expect(await axeFindings(page)).toEqual([])
    await codes.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Your second factor is set up' }).waitFor()
    await page.goto(`${server.origin}/admin`)
    expect(new URL(page.url()).pathname).toBe('/admin')
  })

  it('is asked for after the password', async () => {
    await browser.context.clearCookies()
    await enterPassword()
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Wrong code.').waitFor()
    await page.getByLabel('Code').fill(code(0))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/dashboard')
  })

  it('can be a passkey, which also logs in without the password', async () => {
    await page.goto(`${server.origin}/dashboard/account`)
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Laptop')
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Passkey added').waitFor()
    await page.getByText('Laptop').waitFor()
    await page.getByText('Password and app').first().waitFor()
    await browser.context.clearCookies()
    await enterPassword()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL('**/dashboard')
    await browser.context.clearCookies()
    await page.goto(`${server.origin}/login`)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await page.waitForURL('**/dashboard')
  })

  it('is removed with the password', async () => {
    await page.goto(`${server.origin}/dashboard/account`)
    await page.waitForLoadState('networkidle')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'Remove the passkey Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Your password').fill(password)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByText('Passkey removed').waitFor()
  })
})
