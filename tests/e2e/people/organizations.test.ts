import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../../support/browser/chromium'
import { answerQuestions, type OpenBrowser } from '../../support/browser/newcomer'
import { invite, joinWithAccount, startTwoPeople, type TwoPeople } from '../../support/browser/two-people'
import type { BuiltServer } from '../../support/web/server'

describe.skipIf(chromium === null)('several organizations, in two browsers', () => {
  let people: TwoPeople
  let server: BuiltServer
  let ada: OpenBrowser
  let grace: OpenBrowser
  let admin: Page
  let guest: Page

  beforeAll(async () => {
    people = await startTwoPeople({ expected: [/status of 40[09]/] })
    server = people.server
    ada = people.ada
    grace = people.grace
    admin = ada.page
    guest = grace.page
  }, 180_000)
  afterAll(async () => {
    await people?.close()
  })

  /** The menu of the organization, in the sidebar or on top of the onboarding. */
  async function openMenu(page: Page, organization: string) {
    await page.waitForLoadState('networkidle')
    await page.locator('summary:visible', { hasText: organization }).click()
  }

  const shown = (page: Page, organization: string) =>
    page.locator('summary:visible', { hasText: organization }).waitFor()

  it('creates one in the switcher, and switches back while it waits for its onboarding', async () => {
    await openMenu(admin, 'Harbour Lamps')
    await admin.getByRole('link', { name: 'New organization' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create organization' }).click()
    await dialog.getByText('Name is required').waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('Night Shift')
    await dialog.getByRole('button', { name: 'Create organization' }).click()
    await admin.waitForURL('**/onboarding')
    await admin.getByText('Tell us about your team').waitFor()
    await openMenu(admin, 'Night Shift')
    await admin.getByRole('button', { name: 'Harbour Lamps' }).click()
    await admin.waitForURL('**/dashboard')
    await shown(admin, 'Harbour Lamps')
  })

  it('lets a member create one of their own', async () => {
    await joinWithAccount(guest, await invite(admin, server, 'grace@example.com'))
    await openMenu(guest, 'Harbour Lamps')
    await guest.getByRole('link', { name: 'New organization' }).click()
    await guest.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Dill')
    await guest.getByRole('button', { name: 'Create organization' }).click()
    await guest.waitForURL('**/onboarding')
    await openMenu(guest, 'Dill')
    await guest.getByRole('button', { name: 'Harbour Lamps' }).click()
    await guest.waitForURL('**/dashboard')
  })

  it('deletes one after its name is entered, also for the other person', async () => {
    await admin.goto(`${server.origin}/dashboard`)
    await openMenu(admin, 'Harbour Lamps')
    await admin.getByRole('link', { name: 'Edit organization' }).click()
    await admin.getByRole('link', { name: 'Delete organization' }).click()
    const dialog = admin.getByRole('dialog', { name: 'Delete Harbour Lamps?' })
    await dialog.getByLabel('Name of the organization').fill('Night Shift')
    await dialog.getByRole('button', { name: 'Delete organization' }).click()
    await dialog.getByText('This is not the name of the organization.').waitFor()
    await dialog.getByLabel('Name of the organization').fill('Harbour Lamps')
    await dialog.getByRole('button', { name: 'Delete organization' }).click()
    await admin.waitForURL('**/onboarding')
    await shown(admin, 'Night Shift')
    await guest.reload()
    await guest.waitForURL('**/onboarding')
    await shown(guest, 'Dill')
  })

  it('keeps the last administrator of one that waits for its onboarding, who can delete it', async () => {
    await openMenu(guest, 'Dill')
    const leave = guest.getByRole('button', { name: 'Leave organization' })
    expect(await leave.getAttribute('aria-disabled')).toBe('true')
    await guest.getByText(/Make another member an administrator first/).waitFor()
    await guest.getByRole('link', { name: 'Delete organization' }).click()
    await guest.getByLabel('Name of the organization').fill('Dill')
    await guest.getByRole('button', { name: 'Delete organization' }).click()
    await guest.waitForURL('**/onboarding/organization')
  })

  it('changes nothing from a tab that shows another organization than the selected one', async () => {
    await answerQuestions(admin)
    await admin.waitForLoadState('networkidle')
    await admin.goto(`${server.origin}/dashboard?dialog=organization`)
    await admin.waitForLoadState('networkidle')
    const otherPage = await ada.context.newPage()
    await otherPage.goto(`${server.origin}/dashboard?dialog=new-organization`)
    await otherPage.waitForLoadState('networkidle')
    await otherPage.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Day Shift')
    await otherPage.getByRole('button', { name: 'Create organization' }).click()
    await otherPage.waitForURL('**/onboarding')
    await answerQuestions(otherPage)
    await shown(otherPage, 'Day Shift')

    await admin.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Early Shift')
    await admin.getByRole('button', { name: 'Save', exact: true }).click()
    await admin.getByText('You switched to another organization.').waitFor()
    await admin.getByRole('link', { name: 'Reload' }).click()
    await shown(admin, 'Day Shift')
    await expect.poll(() => admin.getByRole('dialog').count()).toBe(0)
    await openMenu(admin, 'Day Shift')
    await admin.getByRole('button', { name: 'Night Shift' }).waitFor()
    // The router aborts the request of the dialog that the error page replaces.
    expect(ada.problems.filter((text) => text !== 'signal is aborted without reason')).toEqual([])
  })
})
