import { expect } from 'vitest'
import { members } from '../../../db/schema/organizations'
import { agentTabScreens } from './agents'
import type { Tour } from './tour'

/** An agent, its chat and its settings. */
export async function agentScreens(tour: Tour): Promise<void> {
  const { page, origin, shoot, ready } = tour
  await page.goto(`${origin}/dashboard/agents?dialog=create`)
  await ready()
  await page.getByLabel('Name', { exact: true }).fill('Workshop helper')
  await page.getByRole('button', { name: 'Add agent' }).click()
  await page.waitForURL(/dashboard\/agent\//)
  await ready()
  await shoot(page, 'agent-no-collection')
  await page.getByRole('link', { name: 'Link a Collection' }).first().click()
  await page.getByLabel('Collection', { exact: true }).selectOption({ label: 'Lamp manuals' })
  await shoot(page, 'agent-link')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Message', { exact: true }).waitFor()
  await shoot(page, 'chat-empty')
  await shoot(page, 'chat-notification', undefined, () => page.getByRole('button', { name: 'Send message' }).click())
  for (const dismiss of await page.getByRole('button', { name: 'Dismiss' }).all()) await dismiss.click()
  await page.getByLabel('Message', { exact: true }).fill('How do I change the battery of my Storm 40?')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Inspect' }).waitFor()
  await shoot(page, 'chat')
  await page.getByRole('button', { name: 'Source 1' }).first().click()
  await shoot(page, 'chat-citation')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Inspect' }).click()
  await page.getByRole('dialog', { name: 'Message inspection' }).waitFor()
  await shoot(page, 'chat-inspection')
  const { pathname } = new URL(page.url())
  await shoot(page, 'agent-settings', `${pathname}/ai`)
  await agentTabScreens(tour, pathname)
  await shoot(page, 'agents', '/dashboard/agents')
}

/** A thread, and the dashboard after it. */
export async function threadScreens({ page, origin, shoot }: Tour): Promise<void> {
  await page.goto(`${origin}/dashboard/threads`)
  await page.locator('main ul a').first().click()
  await page.getByRole('tab', { name: 'Messages' }).waitFor()
  await shoot(page, 'thread')
  await page.getByRole('tab', { name: 'Details' }).click()
  await shoot(page, 'thread-details')
  await shoot(page, 'thread-erase', `${new URL(page.url()).pathname}?dialog=erase`)
  await shoot(page, 'threads', '/dashboard/threads')
  await shoot(page, 'threads-delete', '/dashboard/threads?dialog=delete-threads&createdSince=2020-01-01')
  await shoot(page, 'dashboard', '/dashboard')
}

/** The same person with fewer rights. */
export async function viewerScreens({ page, origin, shoot, app }: Tour): Promise<void> {
  await app.db.write((tx) => tx.update(members).set({ role: 'viewer' }))
  await shoot(page, 'viewer-collections', '/dashboard/collections')
  await page.getByRole('button', { name: 'Add new' }).hover()
  await shoot(page, 'viewer-tooltip')
  await page.getByRole('link', { name: 'Lamp manuals', exact: true }).first().click()
  await page.waitForURL('**/collection/*')
  await shoot(page, 'viewer-collection')
  await page.goto(`${origin}/dashboard/agents`)
  await page.getByRole('link', { name: 'Workshop helper', exact: true }).click()
  await page.getByRole('link', { name: 'Agent Settings' }).click()
  await shoot(page, 'viewer-settings')
  await page.getByRole('link', { name: 'API Settings' }).click()
  await page.getByText('Not available').waitFor()
  await shoot(page, 'viewer-api')
  const missing = await page.context().request.get(`${origin}/dashboard/collection/nothing`)
  expect(new URL(missing.url()).pathname).toBe('/dashboard/collections')
}
