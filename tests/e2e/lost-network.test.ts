import { once } from 'node:events'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/browser/chromium'
import { createLampAgent } from '../support/browser/lamp-agent'
import { type OpenBrowser, openBrowser, signIn } from '../support/browser/newcomer'
import { type Provider, startProvider } from '../support/providers/provider'
import { type Relay, startRelay } from '../support/providers/relay'
import { lampSite, type Site } from '../support/sites/site'
import { type BuiltServer, startBuiltServer, startServerWithAccount } from '../support/web/server'

const question = 'How do I change the battery of my Storm 40?'

describe.skipIf(chromium === null)('a person whose network is lost', () => {
  let server: BuiltServer
  let site: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page
  let network: Relay
  let agent = ''
  let collection = ''

  beforeAll(async () => {
    provider = await startProvider()
    site = await lampSite()
    network = await startRelay()
    await startServer()
    // The browser writes each request that fails to its console, and Remix each one for the routes of links on the page.
    browser = await openBrowser((text) => /net::ERR_|^Failed to fetch manifest patches/.test(text))
    page = browser.page
    await signIn(page, server)
    ;({ agent, collection } = await createLampAgent(page, server, site))
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    expect(await server?.stop()).toBe(0)
    await network?.close()
    await site?.close()
    await provider?.close()
  })

  async function startServer(): Promise<void> {
    const start = server ? startBuiltServer : startServerWithAccount
    const started = await start({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'any-text',
      PUBLIC_URL: network.origin,
      ...(server ? { DATA_DIR: server.dataDir } : {}),
    })
    network.port = Number(new URL(started.origin).port)
    server = { ...started, origin: network.origin }
  }

  async function killServer(): Promise<void> {
    const ended = once(server.process, 'exit')
    server.process.kill('SIGKILL')
    await ended
  }

  const reconnecting = () => page.getByRole('status').getByText('Reconnecting…')

  it('keeps the part of an answer that arrived, and goes on when the network is back', async () => {
    await page.goto(agent)
    await page.waitForLoadState('networkidle')
    provider.next({ kind: 'answer', text: `Turn the lid. ${'Then turn it again. '.repeat(200)}`, chunkDelayMs: 50 })
    await page.getByLabel('Message', { exact: true }).fill(question)
    await page.keyboard.press('Enter')
    const answer = page.getByRole('article', { name: 'Answer' })
    await answer.getByText('Turn the lid.').waitFor()
    network.setLost(true)
    await answer.getByText('Connection lost. The answer is incomplete.').waitFor()
    await reconnecting().waitFor()
    await answer.getByText('Turn the lid.').waitFor()
    await provider.requests.at(-1)?.closed

    network.setLost(false)
    // The server stored what it had, under the same question.
    await answer.getByText('Stopped before the end of the answer.').waitFor()
    await answer.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('link', { name: 'Inspect' }).nth(1).waitFor()
  })

  it('finds a question "Not answered" whose server was killed, and keeps it beside the one that is sent again', async () => {
    await page.goto(agent)
    await page.waitForLoadState('networkidle')
    provider.next({ kind: 'answer', text: `Turn the lid. ${'Then turn it again. '.repeat(200)}`, chunkDelayMs: 50 })
    await page.getByLabel('Message', { exact: true }).fill(question)
    await page.keyboard.press('Enter')
    const answers = page.getByRole('article', { name: 'Answer' })
    await answers.getByText('Turn the lid.').waitFor()
    await killServer()
    await answers.getByText('Connection lost. The answer is incomplete.').waitFor()
    await reconnecting().waitFor()
    await startServer()
    await page.getByText('Waiting for the answer…').waitFor()
    expect(await reconnecting().count()).toBe(0)
    await page.getByText('Not answered', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    await page.reload()
    const questions = page.getByRole('article', { name: 'Your message' })
    expect(await questions.allInnerTexts()).toEqual([question, question])
    expect(await answers.count()).toBe(1)
    await page.getByText('Not answered', { exact: true }).waitFor()
  })

  it('says that it reconnects on a page that shows progress, and goes on by itself', async () => {
    await page.goto(collection)
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    await row.getByText('Idle', { exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    network.setLost(true)
    await reconnecting().waitFor()
    network.setLost(false)
    await reconnecting().waitFor({ state: 'detached' })
    await row.getByRole('button', { name: /^Refresh/ }).click()
    await row
      .getByText(/unchanged/)
      .first()
      .waitFor()
  })

  it('keeps a message that was not sent', async () => {
    await page.goto(agent)
    await page.waitForLoadState('networkidle')
    network.setLost(true)
    await page.getByLabel('Message', { exact: true }).fill(question)
    await page.keyboard.press('Enter')
    const answer = page.getByRole('article', { name: 'Answer' })
    await answer.getByText('Connection lost.', { exact: true }).waitFor()
    await page.getByRole('article', { name: 'Your message' }).getByText(question).waitFor()
    network.setLost(false)
    await answer.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
  })

  it('sees why a form could not be submitted, keeps the input, and submits it again', async () => {
    await page.goto(`${agent}/ai`)
    await page.waitForLoadState('networkidle')
    const prompt = page.getByLabel('System prompt')
    await prompt.fill('Answer like a lighthouse keeper.')
    network.setLost(true)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText("The server can't be reached", { exact: true }).waitFor()
    await page.getByText('What you entered is still here. Check your connection, then send it again.').waitFor()
    expect(await prompt.inputValue()).toBe('Answer like a lighthouse keeper.')
    await page.getByRole('link', { name: 'Threads', exact: true }).click()
    const leave = page.getByRole('dialog', { name: 'Leave without saving your changes?' })
    await leave.getByRole('button', { name: 'Keep editing' }).click()

    network.setLost(false)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Agent edited successfully').waitFor()
    await page.reload()
    expect(await prompt.inputValue()).toBe('Answer like a lighthouse keeper.')
  })

  it('keeps the input of a dialog that opens on every page', async () => {
    await page.goto(`${agent}?dialog=organization`)
    await page.waitForLoadState('networkidle')
    const dialog = page.getByRole('dialog', { name: 'Edit organization' })
    await dialog.getByLabel('Legal entity name').fill('Harbour Lamps Ltd')
    network.setLost(true)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText("The server can't be reached", { exact: true }).waitFor()
    expect(await dialog.getByLabel('Legal entity name').inputValue()).toBe('Harbour Lamps Ltd')
    network.setLost(false)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Organization edited successfully').waitFor()
  })

  it('reads what to do when a page does not load', async () => {
    await page.goto(`${server.origin}/dashboard/threads`)
    await page.waitForLoadState('networkidle')
    network.setLost(true)
    await page.getByLabel('Search in questions').fill('battery')
    await page.getByRole('alert').getByText("The server can't be reached.").waitFor()
    await page.getByText('Check your connection, then try again.').waitFor()
    await page.getByRole('link', { name: 'Try again' }).waitFor()
    network.setLost(false)
    // The page goes on by itself.
    await page.getByRole('link', { name: question }).first().waitFor()
    expect(browser.problems).toEqual([])
  })
})
