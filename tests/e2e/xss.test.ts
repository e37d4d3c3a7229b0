import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { eq } from 'drizzle-orm'
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { agentDefaults } from '../../contract/values/limits'
import { agents } from '../../db/schema/agents'
import { collections, sources } from '../../db/schema/collections'
import { organizations } from '../../db/schema/organizations'
import { messages, threads } from '../../db/schema/threads'
import { system } from '../../server/actor'
import { builtAssets } from '../../server/http/create-server'
import { hashToken, randomToken } from '../../server/tokens'
import { startTestWorkers } from '../support/app'
import { chromium } from '../support/browser/chromium'
import { xssPayloads } from '../support/browser/xss-payloads'
import { startSession } from '../support/people/credentials'
import { createPerson } from '../support/people/people'
import { type Provider, startProvider } from '../support/providers/provider'
import { startSite } from '../support/sites/site'
import { startWebSite, type WebSite } from '../support/web/web-site'

const built = (path: string) => fileURLToPath(new URL(`../../build/${path}`, import.meta.url))
const visitorToken = randomToken()
/** What a page that escapes nothing would hold, as a check of the check. */
const unescaped = '<script src=//evil.example/a.js></script><img src=x onerror=alert(1)>'
/** Rows of one page of a list. */
const listed = 100

describe.skipIf(chromium === null)('payloads of cross-site scripting', () => {
  let site: WebSite
  let host: Server
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let organization: string
  let collection: string
  let agent: string
  let thread: string
  let publicKey: string
  let provider: Provider
  const problems: string[] = []

  beforeAll(async () => {
    const build = await import(built('server/index.js'))
    provider = await startProvider()
    site = await startWebSite(
      [],
      {
        PUBLIC_REQUESTS_PER_MINUTE: '100000',
        OPENAI_API_KEY: 'key-of-the-test',
        OPENAI_BASE_URL: provider.baseUrl,
        CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
        CRAWL_DELAY_MS: '0',
      },
      {},
      { build, assets: builtAssets(built('client')) },
    )
    await furnish()
    host = createServer(({ url }, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      if (url === '/unescaped') return void response.end(unescaped)
      const tag = `<script src="${site.origin}/widget.js" data-key="${publicKey}" async></script>`
      response.end(`<!doctype html><html lang="en"><title>Lamps</title><body>${tag}</body></html>`)
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    browser = await playwright.connect(process.env.TEST_BROWSER ?? '')
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    page = await guardedPage()
  }, 60_000)
  afterEach(() => expect(problems.splice(0)).toEqual([]))
  afterAll(async () => {
    await context?.close()
    await browser?.close()
    host?.close()
    await site?.close()
    await provider?.close()
  })

  /** An organization in which everything that people and pages name is a payload. */
  async function furnish() {
    const { db, services } = site.app
    const person = await createPerson(site.app, {})
    organization = (await services.organizations.create(system, { name: 'Lamps', entity_name: '' })).id
    const admin = await createPerson(site.app, { [organization]: 'admin' })
    await services.organizations.onboard(admin, organization, {
      goals: ['just_trying'],
      sector: 'other: lamps',
      position: 'sales',
      size: 'Solo (1)',
      source: 'search',
    })
    const named = xssPayloads.map((name) => ({ organizationId: organization, name, createdBy: person.userId }))
    await db.write(async (tx) => {
      await tx
        .update(organizations)
        .set({ name: '<img src=x onerror=alert(1)>' })
        .where(eq(organizations.id, organization))
      const created = await tx
        .insert(collections)
        .values(named.map((item) => ({ ...item, description: item.name })))
        .returning()
      collection = created[0]?.id ?? ''
      const place = { collectionId: collection, status: 'idle' as const }
      const pages = named.map((first, n) => ({
        ...first,
        ...place,
        type: 'url' as const,
        url: `https://lamps.example/${n}`,
      }))
      const files = named.map((item) => ({ ...item, ...place, type: 'file' as const, fileName: item.name }))
      await tx.insert(sources).values([...pages, ...files])
      const guides = await tx
        .insert(agents)
        .values(
          named.map((item) => ({
            ...item,
            description: item.name,
            collectionId: collection,
            provider: 'openai' as const,
            model: item.name,
            ...agentDefaults,
          })),
        )
        .returning()
      agent = guides[0]?.id ?? ''
    })
    publicKey = (
      await services.keychains.save(
        system,
        { organizationId: organization, agentId: agent },
        { regenerate: false, rateLimit: 6_000 },
      )
    ).public_key
    await db.write(async (tx) => {
      const values = xssPayloads.map((title) => ({
        organizationId: organization,
        agentId: agent,
        title,
        createdBy: admin.userId,
        metaUserAgent: title,
        metaOrigin: title,
        externalUserId: title,
        externalUserEmail: title,
      }))
      const rows = await tx.insert(threads).values(values).returning({ id: threads.id })
      thread = rows[0]?.id ?? ''
      await tx
        .update(threads)
        .set({ publishedAt: new Date(), visitorTokenHash: hashToken(visitorToken) })
        .where(eq(threads.id, thread))
      for (const [n, payload] of xssPayloads.entries()) {
        const time = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, 2 * n + second))
        const fragment = {
          id: `f${n}`,
          score: 0.5,
          url: 'https://lamps.example/',
          link: 'https://lamps.example/#a',
          title: payload,
          headings: [payload],
          content: payload,
        }
        const shared = { threadId: thread, status: 2, statusMessage: null }
        await tx.insert(messages).values([
          { ...shared, role: 'user' as const, content: payload, createdAt: time(0) },
          {
            ...shared,
            role: 'agent' as const,
            content: `${payload}\n\nSee [1](https://lamps.example/).`,
            fragments: [fragment],
            cited: [1],
            verdict: 'answered' as const,
            model: payload,
            searchQuery: payload,
            createdAt: time(1),
          },
        ])
      }
    })
    const cookie = await startSession(site.app, admin, organization)
    session = cookie.split('=')[1] ?? ''
  }
  let session = ''

  /** An agent that answers from a page whose text is payloads, and its public key. */
  async function createLivePayloads() {
    const { services } = site.app
    const paragraphs = xssPayloads.map((payload) => `<p>The lamp ${escapeHtml(payload)}</p>`)
    const lamps = await startSite({ '/': `<title>Lamp</title><main><h1>Lamp</h1>${paragraphs.join('')}</main>` })
    const { id } = await services.collections.create(system, organization, { name: 'Live', description: '' })
    const ref = { organizationId: organization, collectionId: id }
    const runner = await startTestWorkers(site.app)
    await services.sources.create(system, ref, { type: 'url', name: '', url: lamps.origin })
    await runner.idle()
    await runner.stop()
    await lamps.close()
    const created = { name: 'Live', description: '', useDefaults: true }
    const live = {
      organizationId: organization,
      agentId: (await services.agents.create(system, organization, created)).id,
    }
    await services.agents.link(system, live, { collectionId: id })
    const { public_key: key } = await services.keychains.save(system, live, { regenerate: false, rateLimit: 6_000 })
    return { collection: id, agent: live.agentId, key }
  }

  /** A page in which every dialog, breach of the policy, error and request to another host is a problem. */
  async function guardedPage(): Promise<Page> {
    await context.addCookies([{ name: 'sitelore', value: session, url: site.origin }])
    await context.addInitScript(() => {
      // The widget's root is closed to the page, so the test opens it to reach in.
      const attach = Element.prototype.attachShadow
      Element.prototype.attachShadow = function (init) {
        return attach.call(this, { ...init, mode: 'open' })
      }
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      )
    })
    const opened = await context.newPage()
    opened.setDefaultTimeout(20_000)
    opened.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    opened.on('pageerror', (error) => problems.push(`error: ${error.message}`))
    opened.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await context.route(
      (url) => url.origin !== site.origin && url.hostname !== '127.0.0.1',
      (route) => {
        problems.push(`request: ${route.request().url()}`)
        return route.abort()
      },
    )
    return opened
  }

  /** Handlers, and links that are not to the web, in the document and its shadow roots. */
  function dangerousParts(): Promise<string[]> {
    return page.evaluate(() => {
      const found: string[] = []
      const visit = (root: ParentNode) => {
        for (const element of root.querySelectorAll('*')) {
          for (const { name, value } of element.attributes) {
            if (name.startsWith('on')) found.push(`${name}=${value}`)
            if (/^(href|src|action|formaction|xlink:href|data|poster|srcdoc)$/.test(name)) {
              const { protocol, hostname } = new URL(value, location.href)
              if (!/^(https?|mailto|data):$/.test(protocol) || /evil/.test(hostname)) found.push(`${name}=${value}`)
            }
          }
          if (element.shadowRoot) visit(element.shadowRoot)
        }
      }
      visit(document)
      return found.filter((text) => !/^href=data:image\//.test(text))
    })
  }

  /** Moves over everything and focuses it, so that handlers of these events would run. */
  async function provoke() {
    await page.evaluate(() => {
      for (const element of document.querySelectorAll<HTMLElement>('main *')) {
        for (const type of ['mouseover', 'focus', 'toggle', 'error', 'load']) element.dispatchEvent(new Event(type))
      }
    })
  }

  const plain = (text: string) => text.replaceAll(/[\s\u2028\u2029]+/g, ' ').trim()

  /** Opens pages, which do nothing, and returns the payloads that they show as text less often than `times` together. */
  async function hiddenOn(paths: string[], times = 1): Promise<string[]> {
    let shown = ''
    for (const path of paths) {
      await page.goto(site.origin + path)
      await page.locator('main').first().waitFor()
      await provoke()
      shown += ` ${plain(await page.evaluate(() => document.body.innerText))}`
      expect(await dangerousParts()).toEqual([])
    }
    return xssPayloads.filter((payload) => shown.split(plain(payload)).length <= times)
  }

  it('are many, and no two alike', () => {
    expect(new Set(xssPayloads).size).toBe(xssPayloads.length)
    expect(xssPayloads.length).toBeGreaterThanOrEqual(64)
  })

  it('are noticed on a page that does not escape them', async () => {
    const { port } = host.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/unescaped`)
    await expect.poll(() => problems.some((text) => text.startsWith('dialog: '))).toBe(true)
    await expect.poll(() => problems.some((text) => text.startsWith('request: '))).toBe(true)
    expect(await dangerousParts()).not.toEqual([])
    await page.goto('about:blank')
    problems.length = 0
  })

  it('are the text of names and descriptions in lists', async () => {
    for (const list of ['collections', 'agents'])
      expect(
        await hiddenOn(
          [1, 2].map((number) => `/dashboard/${list}?size=${listed}&page=${number}`),
          2,
        ),
      ).toEqual([])
    expect(await hiddenOn([1, 2].map((number) => `/dashboard/threads?page=${number}`))).toEqual([])
  })

  it('are the text of names of sources and files', async () => {
    const pages = [1, 2, 3].map((number) => `?sources=${number}&sources-size=${listed}`)
    expect(
      await hiddenOn(
        pages.map((query) => `/dashboard/collection/${collection}${query}`),
        2,
      ),
    ).toEqual([])
  })

  it('are the text of questions, and do nothing in answers, citations and details of a thread', async () => {
    expect(await hiddenOn([`/dashboard/threads/${thread}`])).toEqual([])
    await page.getByRole('tab', { name: 'Details' }).click()
    expect(await dangerousParts()).toEqual([])
    expect(await hiddenOn([`/dashboard/agent/${agent}?thread=${thread}`])).toEqual([])
  })

  it('do nothing on the shared page', async () => {
    expect(await hiddenOn([`/thread/${thread}`])).toEqual([])
    expect(await page.title()).toContain(xssPayloads[0])
  })

  it('do nothing in the widget', async () => {
    const { port } = host.address() as AddressInfo
    const address = `http://127.0.0.1:${port}/`
    await page.goto(address)
    await page.evaluate(
      ([name = '', value = '']) => localStorage.setItem(name, value),
      [`sitelore:${publicKey.slice(-12)}`, JSON.stringify({ threadId: thread, token: visitorToken })],
    )
    await page.goto(address)
    await page.getByRole('button', { name: 'Ask a question' }).click()
    const panel = page.getByRole('dialog', { name: 'Ask a question' })
    await panel.getByText('</title><script>alert(1)</script>').first().waitFor()
    const shown = plain(await panel.innerText())
    expect(xssPayloads.filter((payload) => !shown.includes(plain(payload)))).toEqual([])
    expect(await dangerousParts()).toEqual([])
  })

  it('do nothing in passages, and in answers as they are written and inspected', async () => {
    const live = await createLivePayloads()
    const answer = { kind: 'answer' as const, text: `${xssPayloads.join('\n\n')}\n\nThe lamp [1].` }
    await page.goto(`${site.origin}/dashboard/collection/${live.collection}?q=lamp`)
    await page.locator('#search').getByText('alert(1)').first().waitFor()
    await provoke()
    expect(await dangerousParts()).toEqual([])

    provider.next(answer)
    await page.goto(`${site.origin}/dashboard/agent/${live.agent}`)
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Message', { exact: true }).fill('Which lamp?')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Inspect' }).click()
    const inspection = page.getByRole('dialog')
    await inspection.getByText('alert(1)').first().waitFor()
    await provoke()
    expect(await dangerousParts()).toEqual([])

    publicKey = live.key
    provider.next(answer)
    const { port } = host.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.getByRole('button', { name: 'Ask a question' }).click()
    const panel = page.getByRole('dialog', { name: 'Ask a question' })
    await panel.getByLabel('Your question').fill('Which lamp?')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'Copy', exact: true }).waitFor()
    expect(plain(await panel.innerText())).toContain('</title><script>alert(1)</script>')
    expect(await dangerousParts()).toEqual([])
    await panel.getByRole('tab', { name: 'Search' }).click()
    await panel.getByLabel('What are you looking for?').fill('lamp')
    await page.keyboard.press('Enter')
    await panel.getByText('alert(1)').last().waitFor()
    expect(await dangerousParts()).toEqual([])
  })
})

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
