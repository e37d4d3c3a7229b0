import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { members } from '../db/schema/organizations'
import { createApp } from '../server/app'
import { readConfig } from '../server/config/config'
import { builtAssets, createServer } from '../server/http/create-server'
import { openRowMenu } from '../tests/support/browser/newcomer'
import { startProvider } from '../tests/support/providers/provider'
import { linkedPages } from '../tests/support/sites/linked-pages'
import { lampSite, startSite } from '../tests/support/sites/site'
import { startWorkers } from '../workers/index'
import { ensureBuilt } from './lib/build.mjs'
import { findChromium } from './lib/testing/chromium.mjs'
import { accountScreens } from './screens/screens-account'
import { adminScreens } from './screens/screens-admin'
import { agentScreens } from './screens/screens-agents'
import { linkScreens, organizationScreens, staleScreens, waitingScreens } from './screens/screens-organizations'
import { stateScreens } from './screens/screens-states'

/**
 * `npm run screens [-- pattern]`: serves the built product on a new data folder, walks through it and writes a screenshot of
 * each screen in both themes and two widths to .screens/. Also reports the violations that axe finds.
 */
const wanted = process.argv[2]
const folder = '.screens'
const port = 3900
const origin = `http://localhost:${port}`
const sizes = [
  { name: 'wide', width: 1280, height: 900 },
  { name: 'narrow', width: 390, height: 844 },
]
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
let problems = 0

const executablePath = findChromium()
if (!executablePath) throw new Error('No Chromium was found. Install one, or name it in CHROMIUM_PATH.')
const buildFolder = resolve(process.env.SCREENS_BUILD ?? 'build')
if (!process.env.SCREENS_BUILD) await ensureBuilt(['pages', 'widget'])
const dataDir = mkdtempSync(join(tmpdir(), 'sitelore-screens-'))
const provider = await startProvider({ port: 0, otherwise: { kind: 'answer', chunkDelayMs: 5 } })
const site = await lampSite()
const slowSite = await startSite(linkedPages(300, () => {}, 80))
const app = await createApp(
  readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
    CRAWL_DELAY_MS: '0',
    OPENAI_BASE_URL: provider.baseUrl,
    OPENAI_API_KEY: 'any-text',
  }),
)
const build = await import(join(buildFolder, 'server/index.js'))
const edge = { build, assets: builtAssets(join(buildFolder, 'client')), widgetFolder: join(buildFolder, 'widget') }
const server = await createServer(app, { ...edge, development: false })
await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
app.listensOn(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
const runner = await startWorkers(app, 'server')
const embedding = app.startEmbedding()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
try {
  const context = await browser.newContext({ viewport: sizes[0], reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.on('pageerror', (error) => report(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    // The browser logs the 400 of an invalid form and the 409 of a stale one to its console.
    if (message.type() === 'error' && !/status of (400|409)/.test(message.text()))
      report(`${page.url()}: ${message.text()}`)
  })
  const tour = { app, page, origin, ready: () => ready(page), shoot, report }
  const stops: [string, () => Promise<void>][] = [
    ['guest', () => guest(page)],
    ['sign-up', () => signUp(page)],
    ['onboarding', () => onboard(page)],
    ['empty lists', () => empty(page)],
    ['manual', () => manual(page)],
    ['collection', () => collection(page)],
    ['agent', () => agent(page)],
    ['threads', () => threads(page)],
    ['states', () => stateScreens(tour, provider)],
    ['organizations', () => organizationScreens(tour)],
    ['links', () => linkScreens(tour)],
    ['stale tab', () => staleScreens(tour)],
    ['account', () => accountScreens(tour)],
    ['back office', () => adminScreens(tour)],
    ['viewer', () => viewer(page, context)],
    ['waiting', () => waitingScreens(tour)],
  ]
  for (const [name, stop] of stops) {
    try {
      await stop()
    } catch (error) {
      // The stops after it do not need what it shows.
      report(`${name}: ${String(error)}`)
      await page.screenshot({ path: join(folder, `failure-${name.replaceAll(' ', '-')}.png`) })
    }
  }
} finally {
  await browser.close()
  server.closeAllConnections()
  server.close()
  await runner.stop()
  await embedding
  await app.close()
  await site.close()
  await slowSite.close()
  await provider.close()
  rmSync(dataDir, { recursive: true, force: true })
}
process.stdout.write(`Pictures are in ${folder}. ${problems} problems.\n`)
process.exitCode = problems > 0 ? 1 : 0

async function guest(page: Page): Promise<void> {
  await shoot(page, 'landing', '/')
  await shoot(page, 'landing-denied', '/?error=access_denied&error_description=The%20account%20is%20blocked.')
  await shoot(page, 'terms', '/terms')
  await shoot(page, 'help', '/help')
  await shoot(page, 'help-api', '/help/api')
}

async function signUp(page: Page): Promise<void> {
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

async function onboard(page: Page): Promise<void> {
  await ready(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Name is required').waitFor()
  await shoot(page, 'onboarding-organization')
  await page.getByLabel('Name', { exact: true }).fill('Harbour Lamps')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/onboarding')
  await ready(page)
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

async function empty(page: Page): Promise<void> {
  await shoot(page, 'dashboard-empty')
  await shoot(page, 'collections-empty', '/dashboard/collections')
  await shoot(page, 'collection-create', '/dashboard/collections?dialog=create')
  await shoot(page, 'agents-empty', '/dashboard/agents')
  await shoot(page, 'threads-empty', '/dashboard/threads')
  await shoot(page, 'audit-empty', '/dashboard/audit')
}

async function manual(page: Page): Promise<void> {
  await page.goto(`${origin}/dashboard`)
  await page.getByRole('button', { name: "Try it with this product's own manual" }).click()
  await page.waitForURL('**/demo-search')
  await ready(page)
  await shoot(page, 'search-start')
  await idle()
  await page.getByRole('link', { name: 'How do I add a website?' }).click()
  await page.waitForURL(/q=/)
  await ready(page)
  await shoot(page, 'search-found')
}

async function collection(page: Page): Promise<void> {
  await page.goto(`${origin}/dashboard/collections?dialog=create`)
  await ready(page)
  await page.getByLabel('Name', { exact: true }).fill('Lamp manuals')
  await page.getByLabel('Description').fill('What visitors ask about repair, prices and delivery.')
  await page.getByRole('button', { name: 'Add collection' }).click()
  await page.waitForURL('**/dashboard/collection/*')
  await ready(page)
  await shoot(page, 'collection-empty')
  await page.getByRole('link', { name: 'Add source' }).click()
  await page.getByRole('radio', { name: 'URL' }).check()
  await page.locator('#add-source-url').fill('lamps')
  await page.getByRole('button', { name: 'Add source' }).click()
  await ready(page)
  await shoot(page, 'source-add')
  await page.getByRole('radio', { name: 'File' }).check()
  const prices = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from('lamp,price\nStorm 40,12\n') }
  await page.locator('#add-source-file').setInputFiles(prices)
  await shoot(page, 'source-add-file')
  const picture = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('none') }
  await shoot(page, 'source-add-refused', undefined, () => page.locator('#add-source-file').setInputFiles(picture))
  await page.getByRole('radio', { name: 'Domain' }).check()
  await page.locator('#add-source-url').fill(`${site.origin}/`)
  await page.getByRole('dialog').locator('summary').click()
  await page.getByLabel('Exclude').fill('journal/**')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('A pattern is a path').waitFor()
  await shoot(page, 'source-options')
  await page.getByLabel('Exclude').fill('/journal/**')
  await page.getByLabel('Request headers').fill('X-Access-Token: workshop')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText(/included, \d+ excluded\./).waitFor()
  await shoot(page, 'source-preview')
  await page.getByText('A full run').scrollIntoViewIfNeeded()
  await shoot(page, 'source-preview-counts')
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await addSource(page, `${slowSite.origin}/`)
  await page
    .getByText(/of \d+ · /)
    .first()
    .waitFor()
  await shoot(page, 'collection-crawling')
  const slowRow = sourceRow(page, new URL(slowSite.origin).host)
  await slowRow.getByRole('button', { name: /^Pause / }).click()
  await page.getByText('Paused. Resume').waitFor()
  await shoot(page, 'collection-paused')
  await shoot(page, 'collection-menu', undefined, () => openRowMenu(slowRow))
  await openRowMenu(slowRow)
  await slowRow.getByRole('button', { name: /^Cancel run / }).click()
  await idle()
  await page.getByRole('link', { name: 'Add source' }).click()
  await page.getByRole('radio', { name: 'URL' }).check()
  await addSource(page, 'http://10.0.0.1/old-shop')
  await idle()
  await page.reload()
  await shoot(page, 'collection')
  const { pathname } = new URL(page.url())
  await page.getByRole('button', { name: 'Hide sidebar' }).click()
  await shoot(page, 'collection-collapsed')
  await page.getByRole('button', { name: 'Show sidebar' }).click()
  await shoot(page, 'collection-search', `${pathname}?q=battery`)
  await shoot(page, 'collection-filtered', `${pathname}?reason=excluded#addresses`)
  await page.goto(origin + pathname)
  await ready(page)
  const shop = new URL(site.origin).host
  await page.getByRole('button', { name: `Refresh ${shop}` }).click()
  await idle()
  await openRowMenu(sourceRow(page, shop))
  await page.getByRole('link', { name: `Edit ${shop}` }).click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'source-edit')
  await page.goto(origin + pathname)
  await page.getByRole('link', { name: shop, exact: true }).click()
  await page.waitForURL('**/source/*')
  await shoot(page, 'source-runs')
  await shoot(page, 'address-list', `${pathname}?filter=storm#addresses`)
  await page.getByRole('link', { name: 'Storm 40 outdoor lantern', exact: true }).last().click()
  await page.waitForURL('**/address/*')
  await shoot(page, 'address')
  await page.getByRole('button', { name: 'Ignore' }).click()
  await page.getByText('Someone excluded').waitFor()
  await shoot(page, 'address-ignored')
  await page.getByRole('button', { name: 'Retry' }).click()
  await idle()
  await shoot(page, 'collections', '/dashboard/collections')
  await page.getByRole('link', { name: 'Delete Lamp manuals' }).click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'collection-delete')
}

function sourceRow(page: Page, name: string): Locator {
  const link = page.getByRole('link', { name, exact: true })
  return page.getByRole('table', { name: 'Sources' }).locator('tbody tr').filter({ has: link })
}

async function addSource(page: Page, address: string): Promise<void> {
  if (!(await page.getByRole('dialog').isVisible())) await page.getByRole('link', { name: 'Add source' }).click()
  await page.locator('#add-source-url').fill(address)
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function agent(page: Page): Promise<void> {
  await page.goto(`${origin}/dashboard/agents?dialog=create`)
  await ready(page)
  await page.getByLabel('Name', { exact: true }).fill('Workshop helper')
  await page.getByRole('button', { name: 'Add agent' }).click()
  await page.waitForURL(/dashboard\/agent\//)
  await ready(page)
  await shoot(page, 'agent-no-collection')
  await page.getByRole('link', { name: 'Link a Collection' }).first().click()
  await page.getByLabel('Collection', { exact: true }).selectOption({ label: 'Lamp manuals' })
  await shoot(page, 'agent-link')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Message', { exact: true }).waitFor()
  await shoot(page, 'chat-empty')
  await shoot(page, 'chat-notification', undefined, () => page.getByRole('button', { name: 'Send message' }).click())
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
  await agentScreens({ app, page, origin, ready: () => ready(page), shoot, report }, pathname)
  await shoot(page, 'agents', '/dashboard/agents')
}

async function threads(page: Page): Promise<void> {
  await page.goto(`${origin}/dashboard/threads`)
  await page.locator('main ul a').first().click()
  await page.getByRole('tab', { name: 'Messages' }).waitFor()
  await shoot(page, 'thread')
  await page.getByRole('tab', { name: 'Details' }).click()
  await shoot(page, 'thread-details')
  await shoot(page, 'dashboard', '/dashboard')
}

/** The same person with fewer rights. */
async function viewer(page: Page, context: BrowserContext): Promise<void> {
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
  const missing = await context.request.get(`${origin}/dashboard/collection/nothing`)
  if (!missing.url().endsWith('/dashboard/collections')) report('A missing collection does not lead to the list.')
}

/** Waits until no source is being read and every fragment is embedded. */
async function idle(): Promise<void> {
  await embedding
  await runner.idle()
}

async function ready(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
}

/** `prepare` runs before each screenshot, because resizing the window closes popovers. */
async function shoot(page: Page, name: string, path?: string, prepare = async () => {}): Promise<void> {
  if (path) await page.goto(origin + path)
  if (wanted && !new RegExp(wanted).test(name)) return
  for (const size of sizes) {
    await page.setViewportSize(size)
    await prepare()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: join(folder, `${name}-${size.name}-${colorScheme}.png`) })
      await check(page, `${name}, ${size.name}, ${colorScheme}`)
    }
  }
  for (const width of [360, 390, 768, 1280, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    if (wide) report(`${name} is wider than its ${width} px.`)
  }
  await page.setViewportSize(sizes[0] ?? { width: 1280, height: 900 })
}

async function check(page: Page, name: string): Promise<void> {
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: put there by the line above.
    const { violations } = await (window as any).axe.run(document, { resultTypes: ['violations'] })
    return violations.map((violation: { id: string; impact: string; help: string; nodes: { html: string }[] }) => ({
      text: `${violation.impact} ${violation.id}: ${violation.help} ${violation.nodes[0]?.html.slice(0, 160)}`,
    }))
  })
  for (const { text } of found) report(`${name}: ${text}`)
}

function report(problem: string): void {
  problems += 1
  process.stdout.write(`${problem}\n`)
}
