import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../../support/browser/chromium'
import { type OpenBrowser, openBrowser, signIn } from '../../support/browser/newcomer'
import { type BuiltServer, startServerWithAccount } from '../../support/web/server'

describe.skipIf(chromium === null)('the account page, in two browsers', () => {
  let server: BuiltServer
  let first: OpenBrowser
  let second: OpenBrowser
  let page: Page
  let token = ''

  beforeAll(async () => {
    server = await startServerWithAccount()
    first = await openBrowser((text) => text.includes('status of 400'))
    second = await openBrowser()
    page = first.page
    await signIn(page, server)
  }, 180_000)
  afterAll(async () => {
    await first?.close()
    await second?.close()
    expect(await server?.stop()).toBe(0)
  })

  const statusOfToken = async () =>
    (await fetch(`${server.origin}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status

  it('opens from the account menu, and saves the name', async () => {
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Account menu').click()
    await page.getByRole('link', { name: 'Your account' }).click()
    await page.waitForURL('**/dashboard/account')
    await page.getByLabel('Surname').fill('Lovelace')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Profile saved').waitFor()
  })

  it.each([
    ['name', 'Surname'],
    ['password', 'Current password'],
  ])('asks before an unsaved %s is lost', async (_what, label) => {
    const field = page.getByLabel(label)
    await field.fill('Byron')
    // The dialog of a token opens on the same page, whose forms stay.
    await page.getByRole('link', { name: 'New token' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const question = page.getByRole('dialog', { name: 'Leave without saving your changes?' })
    await page.getByRole('link', { name: 'Threads', exact: true }).click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('Byron')
    await page.getByRole('link', { name: 'Threads', exact: true }).click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL('**/dashboard/threads')
    await page.goto(`${server.origin}/dashboard/account`)
    await page.waitForLoadState('networkidle')
  })

  it('asks before answers to the questions of a new organization are lost', async () => {
    await page.goto(`${server.origin}/dashboard?dialog=new-organization`)
    await page.waitForLoadState('networkidle')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Night Shift')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.waitForURL('**/onboarding')
    await page.getByLabel('Semantic search').check()
    const question = page.getByRole('dialog', { name: 'Leave without saving your changes?' })
    const leave = async () => {
      await page.locator('summary', { hasText: 'Night Shift' }).click()
      await page.getByRole('button', { name: 'Harbour Lamps' }).click()
    }
    await leave()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Semantic search').isChecked()).toBe(true)
    await leave()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL('**/dashboard')
    await page.goto(`${server.origin}/dashboard/account`)
    await page.waitForLoadState('networkidle')
  })

  it('shows a new token once, which works until it is revoked', async () => {
    await page.getByRole('link', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('Name is required').waitFor()
    await dialog.getByLabel('Name').fill('Reports')
    await dialog.getByLabel('Role').selectOption('viewer')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    token = await dialog.getByLabel('Access token', { exact: true }).inputValue()
    expect(await statusOfToken()).toBe(200)
    await dialog.getByRole('link', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(token)
    await page.getByRole('link', { name: 'Revoke Reports' }).click()
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('Access token revoked').waitFor()
    expect(await statusOfToken()).toBe(401)
  })

  // contract 2c.3: The landing page shows the user's picture
  it('shows an uploaded picture in the account menu and on the landing page', async () => {
    const picture = await page.locator('header').first().screenshot()
    await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('Picture saved').waitFor()
    const isDrawn = (scope: string) =>
      page.locator(`${scope} img[src^="/picture/"]`).evaluate((image: HTMLImageElement) => image.naturalWidth > 0)
    await page.waitForLoadState('networkidle')
    expect(await isDrawn('header summary')).toBe(true)
    await page.goto(server.origin)
    await page.waitForLoadState('networkidle')
    expect(await isDrawn('header')).toBe(true)
    await page.goto(`${server.origin}/dashboard/account`)
    const wrong = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await page.getByLabel('Picture').setInputFiles(wrong)
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('Choose a PNG, JPEG or WebP picture.').waitFor()
  })

  it('ends the session of the other browser, which then needs the changed password', async () => {
    const otherPage = second.page
    const signIn = async (password: string) => {
      await otherPage.goto(`${server.origin}/login`)
      await otherPage.getByLabel('E-mail').fill('ada@example.com')
      await otherPage.locator('#password').fill(password)
      await otherPage.getByRole('button', { name: 'Log in' }).click()
    }
    await signIn('correct horse battery staple')
    await otherPage.waitForURL('**/dashboard')
    await page.goto(`${server.origin}/dashboard/account`)
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: /^End the session of Chrome/ }).click()
    await page.getByText('Session ended').waitFor()
    await otherPage.goto(`${server.origin}/dashboard`)
    await otherPage.waitForURL(`${server.origin}/`)
    await page.getByLabel('Current password').fill('correct horse battery staple')
    await page.getByLabel('New password').fill('another long password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
    await signIn('another long password')
    await otherPage.waitForURL('**/dashboard')
    expect([...first.problems, ...second.problems]).toEqual([])
  })
})
