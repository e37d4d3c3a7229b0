import { eq, ne } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { collections } from '../../../db/schema/collections'
import { members } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import { openGuestPage, type Tour } from './tour'

/** The organization's dialogs, its members and its menu, as an administrator. */
export async function organizationScreens({ page, origin, ready, shoot }: Tour): Promise<void> {
  await page.goto(`${origin}/dashboard/agents?page=1`)
  await ready()
  await page.locator('summary:visible', { hasText: 'Harbour Lamps' }).click()
  await page.getByRole('link', { name: 'Edit organization' }).locator('visible=true').click()
  await page.getByLabel('Name', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Name is required').waitFor()
  await shoot(page, 'organization-edit')
  await page.getByLabel('Name', { exact: true }).fill('Harbour Lamps')
  await page.getByRole('combobox', { name: /^Default provider/ }).selectOption('openai')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Organization edited successfully').waitFor()
  expect(page.url()).toBe(`${origin}/dashboard/agents?page=1`)
  await page.goto(`${origin}/dashboard?dialog=provider-key`)
  await ready()
  await shoot(page, 'provider-key')
  await shoot(page, 'members', '/dashboard/members')
  await page.goto(`${origin}/dashboard/members?dialog=invite`)
  await ready()
  await page.getByRole('dialog').getByLabel('E-mail').fill('grace@example.com')
  await shoot(page, 'members-invite')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await page.getByLabel('Link for grace@example.com').waitFor()
  await shoot(page, 'members-invited')
  await shoot(page, 'audit', '/dashboard/audit')
  await shoot(page, 'settings', '/dashboard/settings')
  await shoot(page, 'settings-provider', '/dashboard/settings/provider')
  await page.goto(`${origin}/dashboard/settings/data`)
  await ready()
  await page.getByLabel(/^Threads/).fill('0')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Days for threads is a whole number').waitFor()
  await shoot(page, 'settings-data')
  await shoot(page, 'settings-usage', '/dashboard/settings/usage')
  await ready()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await shoot(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).fill('a')
  await page.getByRole('option').filter({ hasText: 'Agent' }).first().waitFor()
  await shoot(page, 'go-to')
  await page.keyboard.press('Escape')
  await page.goto(`${origin}/dashboard`)
  await ready()
  await shoot(page, 'organization-menu', undefined, () => openOrganizationMenu(page))
  await shoot(page, 'organization-new', '/dashboard?dialog=new-organization')
  await page.goto(`${origin}/dashboard?dialog=delete-organization`)
  await ready()
  await page.getByLabel('Name of the organization').fill('harbour lamps')
  await page.getByRole('button', { name: 'Delete organization' }).click()
  await page.getByText('This is not the name').waitFor()
  await shoot(page, 'organization-delete')
}

/** The pages that a link in an e-mail opens: an invitation as a stranger and as someone else, and a link that is no more. */
export async function linkScreens({ page, origin, ready, shoot }: Tour): Promise<void> {
  await page.goto(`${origin}/dashboard/members`)
  await ready()
  const link = await page.getByLabel('Link for grace@example.com').inputValue()
  const guest = await openGuestPage(page)
  await guest.goto(link)
  await shoot(guest, 'link-invitation')
  await guest.getByRole('button', { name: 'Join Harbour Lamps' }).click()
  await guest.waitForURL('**/sign-up')
  await shoot(guest, 'sign-up')
  await guest.goto(`${origin}/invitation?token=none`)
  await shoot(guest, 'link-invitation-ended')
  await guest.goto(`${origin}/verification?token=none`)
  await shoot(guest, 'link-verification-ended')
  await guest.goto(`${origin}/reset?token=none`)
  await shoot(guest, 'link-reset-ended')
  await guest.close()
  await page.goto(link)
  await shoot(page, 'link-invitation-other-person')
}

/** A dialog that was opened while another organization was selected. */
export async function staleScreens({ page, origin, ready, shoot }: Tour): Promise<void> {
  await page.goto(`${origin}/dashboard/members?dialog=invite`)
  await ready()
  await page.getByRole('dialog').getByLabel('E-mail').fill('joan@example.com')
  const shown = page.getByRole('dialog').locator('[name=shown_organization_id]')
  await shown.evaluate((field) => field.setAttribute('value', '00000000-0000-4000-8000-000000000000'))
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await ready()
  await shoot(page, 'stale-organization')
}

/** An organization that another person has to set up, and a search that the plan refuses. */
export async function waitingScreens({ app, page, origin, ready, shoot }: Tour): Promise<void> {
  const organization = { name: 'Night Shift', entity_name: '' }
  const { id: organizationId } = await app.services.organizations.create(system, organization)
  const [ada] = await app.db.read.select().from(users)
  const grace = { email: 'grace@example.com', emailNormalized: 'grace@example.com', name: 'Grace', surname: 'Moore' }
  await app.db.write(async (tx) => {
    const values = { ...grace, issuer: 'test', subject: 'grace' }
    const [user] = await tx.insert(users).values(values).returning({ id: users.id })
    await tx.insert(members).values({ organizationId, userId: user?.id ?? '', role: 'admin' })
    await tx.insert(members).values({ organizationId, userId: ada?.id ?? '', role: 'viewer' })
  })
  await page.goto(`${origin}/dashboard`)
  await ready()
  await openOrganizationMenu(page)
  await page.getByRole('button', { name: 'Night Shift' }).locator('visible=true').click()
  await page.getByRole('heading', { name: 'Waiting for an administrator' }).waitFor()
  await shoot(page, 'organization-waiting')
  await page.locator('summary', { hasText: 'Night Shift' }).click()
  await page.getByRole('button', { name: 'Harbour Lamps' }).click()
  await page.waitForURL('**/dashboard')
  const [current] = await app.db.read.select().from(members).where(ne(members.organizationId, organizationId))
  await app.services.plans.set(system, 'brief', { display_name: 'Brief', searches: 1 })
  await app.services.plans.assign(system, current?.organizationId ?? '', 'brief')
  const [{ id = '' } = {}] = await app.db.read.select().from(collections).where(eq(collections.name, 'Lamp manuals'))
  await shoot(page, 'organization-search-refused', `/dashboard/collection/${id}?q=battery`)
}

async function openOrganizationMenu(page: Page): Promise<void> {
  await open(page.locator('summary[aria-label="Navigation"]:visible'))
  await open(page.locator('summary:visible', { hasText: 'Harbour Lamps' }))
}

async function open(summary: Locator): Promise<void> {
  if ((await summary.count()) === 0) return
  if ((await summary.locator('xpath=..').getAttribute('open')) === null) await summary.click()
}
