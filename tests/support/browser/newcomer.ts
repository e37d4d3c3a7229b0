import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, type Locator, type Page, chromium as playwright } from 'playwright-core'
import { accountFolder, type BuiltServer, startServerWithAccount } from '../web/server'

export interface OpenBrowser {
  context: BrowserContext
  page: Page
  /** What went wrong in the pages: errors of scripts, and what the browser writes to its console as an error. */
  problems: string[]
  close(): Promise<void>
}

/** A browser in which the server's first account has signed up and made a collection, whose page is open. */
export interface Newcomer extends Omit<OpenBrowser, 'close'> {
  /** The address of the collection. */
  collection: string
  /** Ends the browser and the server; resolves to the exit code of the server. */
  close(): Promise<number | null>
}

/** A built server with its first account. Refusals of a form's own mistakes are no problems. */
export async function startNewcomer(collectionName: string): Promise<Newcomer> {
  const server = await startServerWithAccount()
  // A form with a mistake is answered with 400, which the browser also writes to its console.
  const browser = await openBrowser((text) => text.includes('status of 400'))
  async function close() {
    await browser.close()
    return server.stop()
  }
  try {
    await signIn(browser.page, server)
    await createCollection(browser.page, server, collectionName)
  } catch (error) {
    await close()
    throw error
  }
  return { ...browser, collection: browser.page.url(), close }
}

/** A new context of the browser that `build.ts` started, with one empty page. `isExpected` messages are no problems. */
export async function openBrowser(isExpected: (text: string) => boolean = () => false): Promise<OpenBrowser> {
  const browser: Browser = await playwright.connect(process.env.TEST_BROWSER ?? '')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  // Remix leaves a load that a newer one aborts as an unhandled rejection.
  const isAbortedLoad = (text: string) => text.includes('signal is aborted')
  page.on('pageerror', ({ message, stack }) => {
    if (!isAbortedLoad(message)) problems.push(stack ?? message)
  })
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !isAbortedLoad(text) && !isExpected(text))
      problems.push(`${text} ${message.location().url}`)
  })
  async function close() {
    await context.close()
    await browser.close()
  }
  return { context, page, problems, close }
}

/** From the set-up link that the server printed to its dashboard, all questions answered. */
export async function signUp(page: Page, server: BuiltServer): Promise<void> {
  await page.goto(/http:\/\/\S+\/setup\?token=\S+/.exec(server.printed())?.[0] ?? 'no link was printed')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.locator('#password').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/onboarding/organization')
  await page.getByLabel('Name', { exact: true }).fill('Harbour Lamps')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/onboarding')
  await answerQuestions(page)
}

/** Signs the first account of `startServerWithAccount` in, whose dashboard is open then. */
export async function signIn(page: Page, server: BuiltServer): Promise<void> {
  await page.context().addCookies(JSON.parse(readFileSync(join(accountFolder(), 'cookies.json'), 'utf8')))
  await page.goto(`${server.origin}/dashboard`)
}

/** Fills in the questionnaire of an organization, whose dashboard is open then. */
export async function answerQuestions(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.getByLabel('Semantic search').check()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('In which sector do you work?').selectOption({ label: 'E-commerce' })
  await page.getByLabel('What is your position?').selectOption({ label: 'Sales' })
  await page.getByLabel('How large is your organization?').selectOption({ label: 'Solo (1)' })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Where did you hear about us?').selectOption({ label: 'Search engine' })
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.waitForURL('**/dashboard')
}

/** A new collection, whose page is open then. */
export async function createCollection(page: Page, server: BuiltServer, name: string): Promise<void> {
  await page.goto(`${server.origin}/dashboard/collections?dialog=create`)
  await page.waitForLoadState('networkidle')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Add collection' }).click()
  await page.waitForURL('**/dashboard/collection/*')
}

/** Opens the menu of a table's row. Its choices are in the row, so they are found by their names. */
export async function openRowMenu(row: Locator): Promise<void> {
  await row.getByRole('button', { name: /^More actions for / }).click()
}

/** All that axe finds on the screen, each with the first element concerned. */
export async function axeFindings(page: Page): Promise<{ id: string; impact: string; html: string }[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    type Violation = { id: string; impact: string; nodes: { html: string }[] }
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    const { violations } = await axe.run()
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0]?.html ?? '' }))
  })
}
