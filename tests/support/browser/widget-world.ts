import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type Locator, type Page, chromium as playwright } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { keychainViewSchema } from '../../../contract/views/organizations/keychain'
import { type ApiWorld, startApiWorld } from '../api/api-world'

interface Host {
  origin: string
  /** The public key that the widget uses. */
  key: string
  /** What the page holds beside its text, each set anew before a test. */
  tag: string
  head: string
  language: string
  /** The sources of connect-src in the policy of the page; the server by default. */
  connect: string | null
}

export interface WidgetWorld {
  world: ApiWorld
  /** A new one for each test. */
  page: Page
  host: Host
  /** Errors of the page, and requests to other servers. */
  problems: string[]
  /** The tag of the widget, with more attributes. */
  script(attributes?: string): string
  /** Changes the keychain of the agent, and returns its public key. */
  saveKeychain(changes: object): Promise<string>
  panel(): Locator
  field(): Locator
  /** Loads the page, and opens the widget. */
  open(): Promise<void>
  ask(question: string): Promise<void>
}

/** A website on another origin whose pages have the widget, with a new page and key before each test. */
export function widgetWorld(): WidgetWorld {
  let server: Server
  let browser: Browser
  const host: Host = { origin: '', key: '', tag: '', head: '', language: 'en', connect: null }
  const tools: Omit<WidgetWorld, 'world' | 'page'> = {
    host,
    problems: [],
    script: (attributes = '') =>
      `<script nonce="host" src="${widget.world.app.config.publicUrl}/widget.js" data-key="${host.key}" ${attributes} async></script>`,
    async saveKeychain(changes) {
      const { own } = widget.world
      const path = `/v1/${own.organization}/agents/${own.agent}/key`
      const response = await widget.world.sendJson('admin', 'PUT', path, changes)
      return keychainViewSchema.parse((response.body as { created: unknown }).created).public_key
    },
    panel: () => widget.page.getByRole('dialog', { name: 'Ask a question' }),
    field: () => widget.panel().getByRole('textbox'),
    async open() {
      await widget.page.goto(host.origin)
      await widget.page.getByRole('button', { name: 'Ask a question' }).click()
    },
    async ask(question) {
      await widget.field().fill(question)
      await widget.field().press('Enter')
    },
  }
  // The hooks set the rest before a test reads it.
  const widget = tools as WidgetWorld

  beforeAll(async () => {
    widget.world = await startApiWorld()
    server = createServer((request, response) => {
      const { publicUrl } = widget.world.app.config
      if (request.url === '/frame') {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        return response.end('<!doctype html><iframe sandbox="allow-scripts" src="/" width="600" height="800"></iframe>')
      }
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src 'nonce-host'; connect-src ${host.connect ?? publicUrl}; style-src 'nonce-host'; require-trusted-types-for 'script'; trusted-types sitelore`,
      })
      response.end(
        `<!doctype html><html lang="${host.language}"><head><meta name="viewport" content="width=device-width"><title>Lamps</title>${host.head}</head><body><main><h1>Lamps</h1><p>All of our lamps.</p></main>${host.tag}</body></html>`,
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    host.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await playwright.connect(process.env.TEST_BROWSER ?? '')
  }, 60_000)
  beforeEach(async () => {
    host.key = await widget.saveKeychain({ regenerate: true, allowedOrigins: host.origin, rateLimit: 6_000 })
    Object.assign(host, { head: '', language: 'en', connect: null, tag: widget.script() })
    widget.problems.length = 0
    const page = await browser.newPage({ viewport: { width: 1280, height: 844 } })
    widget.page = page
    page.setDefaultTimeout(20_000)
    page.on('console', (message) => message.type() === 'error' && widget.problems.push(message.text()))
    page.on('pageerror', (error) => widget.problems.push(error.message))
    page.on('request', (request) => {
      const { origin } = new URL(request.url())
      if (![host.origin, widget.world.app.config.publicUrl].includes(origin))
        widget.problems.push(`A request to ${origin}`)
    })
    // The widget's root is closed to the page, so the tests open it to reach in.
    await page.addInitScript(() => {
      const attach = Element.prototype.attachShadow
      Element.prototype.attachShadow = function (init) {
        return attach.call(this, { ...init, mode: 'open' })
      }
    })
  })
  afterEach(() => widget.page.close())
  afterAll(async () => {
    await browser?.close()
    server?.close()
    await widget.world?.close()
  })

  return widget
}
