import type { Tour } from './tour'

/** What everybody can read. */
export async function guestScreens({ page, shoot }: Tour): Promise<void> {
  await shoot(page, 'landing', '/')
  await shoot(page, 'landing-denied', '/?error=access_denied&error_description=The%20account%20is%20blocked.')
  await shoot(page, 'terms', '/terms')
  await shoot(page, 'help', '/help')
  await shoot(page, 'help-api', '/help/api')
}

/** The first account. */
export async function setUpScreens({ page, shoot, app }: Tour): Promise<void> {
  const link = await app.identity.setupLink()
  if (!link) throw new Error('There is no set-up link.')
  await page.goto(link)
  await shoot(page, 'set-up')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.locator('#name').fill('Ada')
  await page.locator('#surname').fill('Keller')
  await page.locator('#password').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/onboarding/organization')
}

/** The first organization and its questionnaire. */
export async function onboardingScreens({ page, shoot, ready }: Tour): Promise<void> {
  await ready()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Name is required').waitFor()
  await shoot(page, 'onboarding-organization')
  await page.getByLabel('Name', { exact: true }).fill('Harbour Lamps')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/onboarding')
  await ready()
  await shoot(page, 'onboarding-1')
  await page.getByLabel('Semantic search').check()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('In which sector do you work?').selectOption({ label: 'E-commerce' })
  await page.getByLabel('What is your position?').selectOption({ label: 'Sales' })
  await page.getByLabel('How large is your organization?').selectOption({ label: 'Solo (1)' })
  await shoot(page, 'onboarding-2')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Where did you hear about us?').selectOption({ label: 'Search engine' })
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.waitForURL('**/dashboard')
}

/** Lists without anything. */
export async function emptyScreens({ page, shoot }: Tour): Promise<void> {
  await shoot(page, 'dashboard-empty')
  await shoot(page, 'collections-empty', '/dashboard/collections')
  await shoot(page, 'collection-create', '/dashboard/collections?dialog=create')
  await shoot(page, 'agents-empty', '/dashboard/agents')
  await shoot(page, 'threads-empty', '/dashboard/threads')
  await shoot(page, 'audit-empty', '/dashboard/audit')
}

/** The search of the product's own manual. */
export async function manualScreens({ page, origin, shoot, ready, idle }: Tour): Promise<void> {
  await page.goto(`${origin}/dashboard`)
  await page.getByRole('button', { name: "Try it with this product's own manual" }).click()
  await page.waitForURL('**/demo-search')
  await ready()
  await shoot(page, 'search-start')
  await idle()
  await page.getByRole('link', { name: 'How do I add a website?' }).click()
  await page.waitForURL(/q=/)
  await ready()
  await shoot(page, 'search-found')
}
