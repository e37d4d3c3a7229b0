import type { Page } from 'playwright-core'
import type { Site } from '../sites/site'
import type { BuiltServer } from '../web/server'
import { createCollection } from './newcomer'

interface LampAgent {
  /** The addresses of the pages. */
  collection: string
  agent: string
}

/** Adds a domain to the collection that is open, and waits for the end of its run. */
export async function addDomain(page: Page, { origin }: Pick<Site, 'origin'>): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.getByRole('link', { name: 'Add source' }).first().click()
  await page.locator('#add-source-url').fill(`${origin}/`)
  await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
  await page.getByText(/^\d+ checked, \d+ new/).waitFor()
}

/** A collection with the site, and an agent that is linked to it, whose chat is open then. */
export async function createLampAgent(page: Page, server: BuiltServer, site: Site): Promise<LampAgent> {
  await createCollection(page, server, 'Lamp manuals')
  const collection = page.url()
  await addDomain(page, site)
  // Pages move while the line that counts pending embeddings is there.
  await page.getByText(/^Building the semantic index/).waitFor({ state: 'detached' })
  await page.goto(`${server.origin}/dashboard/agents?dialog=create`)
  await page.waitForLoadState('networkidle')
  await page.getByLabel('Name', { exact: true }).fill('Workshop helper')
  await page.getByRole('button', { name: 'Add agent' }).click()
  await page.waitForURL(/dashboard\/agent\//)
  const agent = page.url()
  await page.getByRole('link', { name: 'Link a Collection' }).first().click()
  await page.getByLabel('Collection', { exact: true }).selectOption({ label: 'Lamp manuals' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Message', { exact: true }).waitFor()
  return { collection, agent }
}
