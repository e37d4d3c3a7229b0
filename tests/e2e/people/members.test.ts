import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../../support/browser/chromium'
import type { OpenBrowser } from '../../support/browser/newcomer'
import { invite, startTwoPeople, type TwoPeople } from '../../support/browser/two-people'
import type { BuiltServer } from '../../support/web/server'

describe.skipIf(chromium === null)('the members of an organization, in two browsers', () => {
  let people: TwoPeople
  let server: BuiltServer
  let ada: OpenBrowser
  let grace: OpenBrowser
  let admin: Page
  let guest: Page
  let link = ''

  beforeAll(async () => {
    // The page of members is refused to a viewer, which the browser writes to its console.
    people = await startTwoPeople({ expected: [/status of 400/, /status of 403/] })
    server = people.server
    ada = people.ada
    grace = people.grace
    admin = ada.page
    guest = grace.page
  }, 180_000)
  afterAll(async () => {
    await people?.close()
  })

  const rowOf = (table: string, text: string) =>
    admin.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text })
  const openMenu = (page: Page) => page.getByRole('navigation', { name: 'Main' }).locator('summary').click()

  async function openMembers() {
    await admin.goto(`${server.origin}/dashboard/members`)
    await admin.waitForLoadState('networkidle')
  }

  it('invites from the menu of the organization', async () => {
    await admin.waitForLoadState('networkidle')
    await openMenu(admin)
    await admin.getByRole('link', { name: 'Members', exact: true }).click()
    await admin.waitForURL('**/dashboard/members')
    await admin.getByRole('link', { name: 'Invite', exact: true }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('nobody')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    await dialog.getByText('Enter an e-mail address, such as ada@example.com').waitFor()
    await dialog.getByLabel('E-mail').fill('grace@example.com')
    await dialog.getByLabel('Role').selectOption('viewer')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    link = await admin.getByLabel('Link for grace@example.com').inputValue()
    expect(link).toContain(`${server.origin}/invitation?token=`)
  })

  it('lets the invited person join as a viewer', async () => {
    await guest.goto(server.origin)
    await guest.getByRole('banner').getByText('Sign-up is by invitation').waitFor()
    await guest.goto(link)
    await guest.getByText(/invited you as a viewer\./).waitFor()
    await guest.getByRole('button', { name: 'Join Harbour Lamps' }).click()
    await guest.getByLabel('Name', { exact: false }).first().fill('Grace')
    await guest.locator('#password').fill('correct horse battery staple')
    await guest.getByRole('button', { name: 'Create account' }).click()
    await guest.waitForURL('**/dashboard')
    await guest.waitForLoadState('networkidle')
    await openMenu(guest)
    await expect
      .poll(() => guest.getByRole('button', { name: 'Members', exact: true }).getAttribute('aria-disabled'))
      .toBe('true')
    await guest.goto(`${server.origin}/dashboard/members`)
    await guest.getByText('You need the Administrator role for this page.').waitFor()
  })

  it('raises a role, which holds at the next request', async () => {
    await openMembers()
    await expect.poll(() => admin.getByRole('table', { name: 'Invitations' }).count()).toBe(0)
    await rowOf('Members', 'grace@example.com').getByRole('link', { name: 'Change role of grace@example.com' }).click()
    await admin.getByRole('dialog').getByLabel('Role').selectOption('admin')
    await admin.getByRole('button', { name: 'Save' }).click()
    await rowOf('Members', 'grace@example.com').getByText('Administrator').waitFor()
    await guest.reload()
    await guest.getByRole('table', { name: 'Members' }).waitFor()
  })

  it('removes a member, and keeps the last administrator', async () => {
    await rowOf('Members', 'grace@example.com').getByRole('link', { name: 'Remove grace@example.com' }).click()
    await admin.getByRole('button', { name: 'Remove member' }).click()
    await rowOf('Members', 'grace@example.com').waitFor({ state: 'detached' })
    await guest.goto(`${server.origin}/dashboard/members`)
    await guest.waitForURL('**/onboarding/organization')
    await guest.getByText('ada@example.com removed you from Harbour Lamps.').waitFor()

    const leave = admin.getByRole('table', { name: 'Members' }).getByRole('button', { name: 'Leave organization' })
    expect(await leave.getAttribute('aria-disabled')).toBe('true')
    await leave.hover()
    await admin
      .getByRole('tooltip')
      .getByText(/Make another member an administrator first/)
      .waitFor()
  })

  it('joins again with the account, and leaves', async () => {
    await guest.goto(await invite(admin, server, 'grace@example.com'))
    await guest.getByRole('button', { name: 'Join Harbour Lamps' }).click()
    await guest.waitForURL('**/dashboard')
    await guest.waitForLoadState('networkidle')
    await openMenu(guest)
    await guest.getByRole('link', { name: 'Leave organization' }).click()
    await guest.getByRole('button', { name: 'Leave organization' }).click()
    await guest.waitForURL('**/onboarding/organization')
    expect([...ada.problems, ...grace.problems]).toEqual([])
  })

  it('revokes an invitation', async () => {
    const revoked = await invite(admin, server, 'joan@example.com')
    await rowOf('Invitations', 'joan@example.com')
      .getByRole('link', { name: /^Revoke/ })
      .click()
    await admin.getByRole('button', { name: 'Revoke invitation' }).click()
    await rowOf('Invitations', 'joan@example.com').waitFor({ state: 'detached' })
    expect((await guest.goto(revoked))?.status()).toBe(410)
  })
})
