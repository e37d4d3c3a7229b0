import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../../support/browser/chromium'
import { createLampAgent } from '../../support/browser/lamp-agent'
import { type OpenBrowser, openBrowser, signIn } from '../../support/browser/newcomer'
import { type Provider, startProvider } from '../../support/providers/provider'
import { lampSite, type Site } from '../../support/sites/site'
import { type BuiltServer, startServerWithAccount } from '../../support/web/server'

describe.skipIf(chromium === null)('the tabs of an agent', () => {
  let server: BuiltServer
  let site: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page
  let agent = ''

  beforeAll(async () => {
    provider = await startProvider()
    site = await lampSite()
    server = await startServerWithAccount({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'any-text',
      CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1,localhost',
    })
    browser = await openBrowser((text) => text.includes('status of 400') || text.includes('status of 403'))
    page = browser.page
    await signIn(page, server)
    agent = (await createLampAgent(page, server, site)).agent
    page.setDefaultTimeout(15_000)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    expect(await server?.stop()).toBe(0)
    await site?.close()
    await provider?.close()
  })

  const tabs = () => page.getByRole('navigation', { name: 'Agent' })
  async function open(name: string): Promise<void> {
    const tab = tabs().getByRole('link', { name, exact: true })
    await tab.click()
    await tab.and(page.locator('[aria-current=page]')).waitFor()
    await page.waitForLoadState('networkidle')
  }
  const publicKey = () => page.getByLabel('Public key', { exact: true }).inputValue()

  // contract 2i.2: The agent sidebar links to six pages
  it('offer to create the keys where they need them', async () => {
    expect(await tabs().getByRole('link').allInnerTexts()).toEqual([
      'Chat',
      'Agent Settings',
      'API Settings',
      'Widget',
      'Chat Widget',
      'Smart Search',
    ])
    for (const name of ['API Settings', 'Widget', 'Chat Widget', 'Smart Search']) {
      await open(name)
      await page.getByText('No keychain created.').waitFor()
      await page.getByRole('button', { name: 'Create keys' }).waitFor()
    }
    await page.getByRole('button', { name: 'Create keys' }).click()
    await page.getByText('No keychain created.').waitFor({ state: 'detached' })
    expect(page.url()).toBe(`${agent}/demo-search`)
  })

  // contract 2a.12: Agent tab api
  // contract 5.10: '*Required*' at required checkboxes
  // texts Forms: `*Required*`
  it('show, check and regenerate the keys', async () => {
    await open('API Settings')
    const before = await publicKey()
    const privateKey = page.getByLabel('Private key', { exact: true })
    await expect.poll(() => privateKey.inputValue()).toContain('•')
    await page.getByRole('button', { name: 'Show the private key' }).click()
    await expect.poll(() => privateKey.inputValue()).toMatch(/^sitelore_private_[^•]+$/)
    await page.getByText('Empty means any: any website or program can use the public key.').waitFor()
    await page.getByText('Empty means any: the private key works from every server.').waitFor()
    const examples = page.getByRole('region', { name: 'Examples' })
    await examples.getByText(`curl -X POST ${server.origin}/v1/chat/simple`).waitFor()
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin })
    await examples.getByRole('button', { name: 'Copy' }).click()
    const shownPrivateKey = await privateKey.inputValue()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`Bearer ${shownPrivateKey}`)
    await examples.getByRole('tab', { name: 'JavaScript' }).click()
    await examples.getByText(`Authorization: 'Bearer ${before}'`).waitFor()
    const origins = page.getByLabel('Allowed origins')
    await origins.pressSequentially('shop.example')
    await page.getByText('shop.example is not an origin.').waitFor()
    await origins.fill('https://shop.example')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('API settings saved successfully').waitFor()
    await page.getByRole('link', { name: 'Regenerate…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Regenerate API keys?' })
    await dialog.getByText('*Required*').waitFor()
    await dialog.getByLabel('Keys', { exact: true }).selectOption('public')
    await dialog.getByRole('button', { name: 'Regenerate' }).click()
    await dialog.getByText('Check the box to regenerate').waitFor()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Regenerate' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await publicKey()).not.toBe(before)
  })

  it('list refused origins, and allow one with a click', async () => {
    const headers = { Authorization: `Bearer ${await publicKey()}`, Origin: 'https://blog.example' }
    const call = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"query":"lamp"}',
    }
    const search = () => fetch(`${server.origin}/v1/public/search`, call)
    expect((await search()).status).toBe(403)
    await page.reload()
    await page.getByRole('button', { name: 'Allow https://blog.example' }).click()
    await page.getByText('Origin allowed successfully').waitFor()
    expect((await search()).status).toBe(200)
  })

  // contract 2a.13: Agent tab widget
  it('give the snippet with the real key and the options', async () => {
    const key = await publicKey()
    await open('Widget')
    const snippet = page.getByRole('region', { name: 'Snippet' })
    await page.locator('#widget-theme').selectOption('dark')
    await page.getByRole('textbox', { name: /^Title/ }).fill('Ask Harbour Lamps')
    await snippet.getByText('data-theme="dark"').waitFor()
    await expect
      .poll(() => snippet.locator('pre').innerText())
      .toBe(
        `<script src="${server.origin}/widget.js" data-key="${key}" data-theme="dark" data-title="Ask Harbour Lamps" async></script>`,
      )
    const widget = page.locator('sitelore-widget')
    const colorOf = () => widget.evaluate((item) => getComputedStyle(item).getPropertyValue('--accent'))
    const color = page.getByRole('textbox', { name: /^Color/ })
    await color.fill('#7a3e00')
    await expect.poll(colorOf).toBe('#7a3e00')
    expect(await color.evaluate((item) => item.matches(':focus'))).toBe(true)
    await page.locator('#widget-position').selectOption('left')
    await expect
      .poll(() => snippet.locator('pre').innerText())
      .toContain('data-position="left" data-theme="dark" data-color="#7a3e00"')
    await page.locator('#widget-lang').selectOption('fr')
    await snippet.getByText('data-lang="fr"').waitFor()
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect.poll(() => preview.locator('sitelore-widget').count()).toBe(1)
    await page.locator('#widget-mode').selectOption('inline')
    await expect.poll(() => widget.evaluate((item) => getComputedStyle(item).display)).toBe('block')
    await page.getByRole('region', { name: 'Integrity of widget.js' }).getByText('sha384-').waitFor()
  })

  it('say what keeps the widget from working on a page, and allow its origin', async () => {
    const card = page.getByRole('region', { name: 'Widget check' })
    const findings = card.getByRole('list', { name: 'Findings' })
    const check = async (address: string) => {
      await card.getByLabel('Address of a page').fill(address)
      await card.getByRole('button', { name: 'Check' }).click()
    }
    await check('shop.example')
    await card.getByText('Invalid url provided, you need to input a full address.').waitFor()
    site.set('/lamps', '<!doctype html><title>Lamps</title><p>No widget</p>')
    await check(`${site.origin}/lamps`)
    await findings.getByText('The HTML of the page has no widget tag').waitFor()

    const snippet = await page.getByRole('region', { name: 'Snippet' }).locator('pre').innerText()
    site.set('/lamps', `<!doctype html><title>Lamps</title>${snippet}`)
    await check(`${site.origin}/lamps`)
    await findings.getByRole('button', { name: `Allow ${site.origin}` }).click()
    await page.getByText('Origin allowed successfully').waitFor()
    await check(`${site.origin}/lamps`)
    await card.getByText(`All is well: the widget works on ${site.origin}/lamps`).waitFor()
  })

  // contract 2a.14: Agent tab demo-widget
  it('run the real widget, although other origins are allowed only', async () => {
    await open('Chat Widget')
    await page.locator('sitelore-widget').waitFor({ state: 'attached' })
    const answered = page.waitForResponse((response) => response.url().endsWith('/v1/public/chat'))
    await page.evaluate(() => {
      const { Sitelore } = window as unknown as { Sitelore: { ask(text: string): void } }
      Sitelore.ask('Which lamp is bright?')
    })
    expect((await answered).status()).toBe(200)
    await (await answered).finished()
    await open('API Settings')
    await page.locator('sitelore-widget').waitFor({ state: 'detached' })
  })

  // contract 1.11: A smart search demo exists
  // contract 2a.15: Agent tab demo-search
  it('show the message of Smart Search above the fragments', async () => {
    await open('Smart Search')
    await page.getByLabel('Ask in your own words').fill('Which lamp is bright?')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Answer' }).waitFor()
    await page.getByRole('list', { name: 'Fragments' }).getByRole('article').first().waitFor()

    provider.next({ kind: 'status', status: 400 })
    await page.getByLabel('Ask in your own words').fill('How bright is the lamp?')
    await page.keyboard.press('Enter')
    await page
      .getByText("The agent can't answer right now. These fragments match your question.", { exact: true })
      .waitFor()
    await page.getByRole('list', { name: 'Fragments' }).getByRole('article').first().waitFor()
    expect(await page.getByRole('region', { name: 'Answer' }).count()).toBe(0)
  })
})
