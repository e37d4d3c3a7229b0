import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { type Browser, type Locator, type Page, chromium as playwright } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { incompleteAnswers } from '../../contract/texts/message-status'
import { keychainViewSchema } from '../../contract/views/keychain'
import { messages } from '../../db/schema/threads'
import { type ApiWorld, startApiWorld } from '../support/api-world'
import { chromium } from '../support/chromium'
import { axeFindings } from '../support/newcomer'

/** What the widget gives to the page. */
interface PageApi {
  open(): void
  close(): void
  ask(question: string): void
  on(event: string, listen: (detail: unknown) => void): () => void
}

const folder = fileURLToPath(new URL('../../build/widget', import.meta.url))
const sizeOf = (name: string) => gzipSync(readFileSync(`${folder}/${name}`), { level: 9 }).length

describe('the files of the widget', () => {
  it('are small', () => {
    const names = readdirSync(folder)
    const scripts = names.filter((name) => name.endsWith('.js'))
    expect(sizeOf('widget.js')).toBeLessThanOrEqual(5 * 1024)
    expect(scripts.reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThanOrEqual(15 * 1024)
    for (const name of names.filter((one) => /^widget-[a-z]{2}-/.test(one)))
      expect(sizeOf(name)).toBeLessThanOrEqual(1024)
  })
})

describe.skipIf(chromium === null)('the widget on a page of another origin', () => {
  let world: ApiWorld
  let key: string
  let host: Server
  let hostOrigin: string
  let browser: Browser
  let page: Page
  let tag = ''
  let head = ''
  let language = 'en'
  const problems: string[] = []

  beforeAll(async () => {
    world = await startApiWorld()
    host = createServer((request, response) => {
      const server = world.app.config.publicUrl
      if (request.url === '/frame') {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        return response.end('<!doctype html><iframe sandbox="allow-scripts" src="/" width="600" height="800"></iframe>')
      }
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src 'nonce-host'; connect-src ${server}; style-src 'nonce-host'; require-trusted-types-for 'script'; trusted-types sitelore`,
      })
      response.end(
        `<!doctype html><html lang="${language}"><head><meta name="viewport" content="width=device-width"><title>Lamps</title>${head}</head><body><main><h1>Lamps</h1><p>All of our lamps.</p></main>${tag}</body></html>`,
      )
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    hostOrigin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    browser = await playwright.connect(process.env.TEST_BROWSER ?? '')
  }, 60_000)
  beforeEach(async () => {
    key = await saveKeychain({ regenerate: true, allowedOrigins: hostOrigin, rateLimit: 6_000 })
    head = ''
    language = 'en'
    tag = script()
    problems.length = 0
    page = await browser.newPage({ viewport: { width: 1280, height: 844 } })
    page.setDefaultTimeout(20_000)
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      const { origin } = new URL(request.url())
      if (![hostOrigin, world.app.config.publicUrl].includes(origin)) problems.push(`A request to ${origin}`)
    })
  })
  afterEach(() => page.close())
  afterAll(async () => {
    await browser?.close()
    host?.close()
    await world?.close()
  })

  const script = (attributes = '') =>
    `<script nonce="host" src="${world.app.config.publicUrl}/widget.js" data-key="${key}" ${attributes} async></script>`

  async function saveKeychain(body: object): Promise<string> {
    const path = `/v1/${world.own.organization}/agents/${world.own.agent}/key`
    const answer = await world.sendJson('admin', 'PUT', path, body)
    return keychainViewSchema.parse((answer.body as { created: unknown }).created).public_key
  }

  const panel = () => page.getByRole('dialog', { name: 'Ask a question' })
  const field = () => panel().getByRole('textbox')
  async function open(): Promise<void> {
    await page.goto(hostOrigin)
    await page.getByRole('button', { name: 'Ask a question' }).click()
  }
  async function ask(question: string): Promise<void> {
    await field().fill(question)
    await field().press('Enter')
  }

  /** The name of what has the focus, inside the widget or outside. */
  const focused = () =>
    page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
      return active?.getAttribute('aria-label') ?? active?.textContent ?? ''
    })

  async function tabTo(name: string, key: 'Tab' | 'Shift+Tab'): Promise<void> {
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press(key)
      if ((await focused()) === name) return
    }
    throw new Error(`The keyboard does not reach ${name}.`)
  }

  /** The widget's root is closed to the page, so the tests reach into it by opening it. */
  beforeEach(() =>
    page.addInitScript(() => {
      const attach = Element.prototype.attachShadow
      Element.prototype.attachShadow = function (init) {
        return attach.call(this, { ...init, mode: 'open' })
      }
    }),
  )

  it('gives a cited answer under a strict policy, and loads nothing before', async () => {
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto(hostOrigin)
    await page.getByRole('button', { name: 'Ask a question' }).waitFor()
    expect(loaded.filter((path) => path !== '/' && path !== '/favicon.ico')).toEqual(['/widget.js'])
    await page.getByRole('button', { name: 'Ask a question' }).click()
    await ask('Which lamp is bright?')
    const card = panel().getByRole('list', { name: 'Sources' }).getByRole('link').first()
    await card.waitFor()
    await expect.poll(() => card.getAttribute('href')).toMatch(/^http/)
    await expect.poll(() => panel().locator('.cite').first().textContent()).toMatch(/^\d$/)
    await panel().getByRole('button', { name: 'Helpful', exact: true }).click()
    await panel().getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(problems.filter((text) => !text.includes('favicon'))).toEqual([])
    expect(await page.context().cookies()).toEqual([])
  })

  it('moves nothing on the page, before or after it opens', async () => {
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(hostOrigin)
    const placeOfContent = () => page.locator('main').boundingBox()
    const before = await placeOfContent()
    await page.getByRole('button', { name: 'Ask a question' }).click()
    await field().waitFor()
    expect(await placeOfContent()).toEqual(before)
    expect(
      await page.evaluate(async () => {
        for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
        return (window as unknown as { shifts: number[] }).shifts
      }),
    ).toEqual([])
  })

  it.each(['en', 'de-AT', 'es', 'fr', 'pl', 'sv'])('speaks the language of a page in %s, or English', async (lang) => {
    language = lang
    const locale = `widget/locales/${lang.slice(0, 2)}.json`
    const texts: { title: string; askLabel: string; send: string } = existsSync(locale)
      ? JSON.parse(readFileSync(locale, 'utf8'))
      : { title: 'Ask a question', askLabel: 'Your question', send: 'Send' }
    await page.goto(hostOrigin)
    await page.getByRole('button', { name: texts.title }).click()
    const dialog = page.getByRole('dialog', { name: texts.title })
    await dialog.getByRole('textbox', { name: texts.askLabel }).waitFor()
    await dialog.getByRole('button', { name: texts.send }).waitFor()
    expect(await dialog.getAttribute('lang')).toBe(existsSync(locale) ? lang.slice(0, 2) : 'en')
  })

  it('takes its colors from variables of the page, position and theme from the tag', async () => {
    head = '<style nonce="host">:root{--sitelore-color:#7a3e00;--sitelore-on-color:#fffaf0}</style>'
    tag = script('data-color="#00718f" data-position="left" data-theme="dark"')
    await open()
    const styleOf = (locator: Locator) =>
      locator.evaluate((one) => {
        const { backgroundColor, color, left } = getComputedStyle(one)
        return { backgroundColor, color, left }
      })
    expect(await styleOf(page.getByRole('button', { name: 'Close', exact: true }).last())).toEqual({
      backgroundColor: 'rgb(122, 62, 0)',
      color: 'rgb(255, 250, 240)',
      left: '20px',
    })
    expect(await styleOf(panel())).toMatchObject({ backgroundColor: 'rgb(22, 32, 42)', left: '20px' })
  })

  it('says that it searches, and stops an answer with what has come', async () => {
    await open()
    world.provider.next({ kind: 'hang' }, { kind: 'stall', words: 5 })
    const asked = world.provider.requests.length
    const stop = async () => {
      await panel().getByRole('button', { name: 'Stop' }).click()
      await world.provider.requests.at(-1)?.closed
      await panel().getByRole('button', { name: 'Send' }).waitFor()
    }
    await ask('Which lamp is bright?')
    await panel().getByText('Searching…').waitFor()
    await expect.poll(() => world.provider.requests.length).toBe(asked + 1)
    await stop()
    await panel().getByText('Stopped.').waitFor()
    expect(await panel().getByText('Searching…').count()).toBe(0)
    await ask('Which lamp is bright?')
    const answer = panel().locator('.it').last()
    await expect.poll(() => answer.textContent()).toMatch(/\w+ \w+ /)
    await expect.poll(() => answer.textContent()).not.toContain('Searching…')
    await stop()
    await expect.poll(() => answer.textContent()).toMatch(/\w+ \w+ .*Stopped\.$/)
    await ask('Which lamp is bright?')
    await panel().getByRole('list', { name: 'Sources' }).waitFor()
  })

  it('keeps the sources that a stopped answer cites', async () => {
    await open()
    world.provider.next({ kind: 'stall', words: 1_000 })
    await ask('Which lamp is bright?')
    const cards = panel().getByRole('list', { name: 'Sources' }).getByRole('link')
    const cited = panel().locator('.cite')
    await cards.first().waitFor()
    await panel().getByRole('button', { name: 'Stop' }).click()
    await panel().getByText('Stopped.').waitFor()
    expect(await cards.locator('b').allTextContents()).toEqual(await cited.allTextContents())
    expect(await cards.first().getAttribute('href')).toBe(await cited.first().getAttribute('href'))
  })

  it('puts a question that is too long back into the field, and says how long it can be', async () => {
    tag = script('data-lang="de" data-contact="https://lamps.example/contact"')
    await page.goto(hostOrigin)
    await page.getByRole('button', { name: 'Frage stellen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Frage stellen' })
    const textbox = dialog.getByRole('textbox')
    const refusal = dialog.getByText('Ihre Frage darf höchstens 512 Zeichen haben.')
    const question = `Which lamp is bright? ${'Please tell me. '.repeat(40)}`.trim()
    await textbox.fill(question)
    await textbox.press('Enter')
    await refusal.waitFor()
    await dialog.getByRole('button', { name: 'Senden' }).waitFor()
    expect(await textbox.inputValue()).toBe(question)
    expect(await dialog.locator('.me').count()).toBe(0)
    expect(await dialog.getByRole('list').count()).toBe(0)
    expect(await dialog.getByRole('link').count()).toBe(0)
    await textbox.fill('Which lamp is bright?')
    await textbox.press('Enter')
    await dialog.getByRole('list', { name: 'Quellen' }).waitFor()
    expect(await dialog.locator('.me').allTextContents()).toEqual(['Which lamp is bright?'])
    expect(await refusal.count()).toBe(0)
  })

  it('says of each answer that it is incomplete or failed, also on the next page', async () => {
    const question = 'Which lamp is bright?'
    const storedWith = (sentence: string) => world.app.db.read.$count(messages, eq(messages.statusMessage, sentence))
    const stop = async (sentence: string) => {
      const before = await storedWith(sentence)
      await panel().getByRole('button', { name: 'Stop' }).click()
      await panel().getByRole('button', { name: 'Send' }).waitFor()
      await expect.poll(() => storedWith(sentence)).toBe(before + 1)
    }
    await open()
    world.provider.next(
      { kind: 'answer', text: 'Lamps that are', finish: 'length' },
      { kind: 'stall', words: 5 },
      { kind: 'hang' },
      { kind: 'status', status: 400 },
    )
    await ask(question)
    const answers = panel().locator('.it')
    await expect.poll(() => answers.last().textContent()).toContain('Lamps that areThe answer reached the output')
    const asked = world.provider.requests.length
    await ask(question)
    await expect.poll(() => answers.last().textContent()).toMatch(/\w+ \w+ /)
    await expect.poll(() => answers.last().textContent()).not.toContain('Searching…')
    await stop(incompleteAnswers.stopped)
    await ask(question)
    await expect.poll(() => world.provider.requests.length).toBe(asked + 2)
    await stop(incompleteAnswers.notStarted)
    await ask(question)
    await panel().getByText('I can’t answer right now.').waitFor()

    await open()
    const entries = panel().locator('.me,.note')
    const restored = [
      question,
      incompleteAnswers.length,
      question,
      incompleteAnswers.stopped,
      question,
      incompleteAnswers.notStarted,
      question,
      'Failed',
    ]
    await expect.poll(() => entries.allTextContents()).toEqual(restored)
  })

  it('keeps the conversation on the next page, until a new one begins', async () => {
    await open()
    await ask('Which lamp is bright?')
    await panel().getByRole('button', { name: 'Copy' }).waitFor()
    await open()
    await panel().getByText('Which lamp is bright?').waitFor()
    await panel().getByRole('list', { name: 'Sources' }).waitFor()
    await panel().getByRole('button', { name: 'New conversation' }).click()
    await expect.poll(() => panel().getByText('Which lamp is bright?').count()).toBe(0)
    await open()
    await expect.poll(() => panel().getByText('Which lamp is bright?').count()).toBe(0)
  })

  it('searches with Ctrl-K, without the agent', async () => {
    await page.goto(hostOrigin)
    await page.getByRole('button', { name: 'Ask a question' }).waitFor()
    await page.keyboard.press('Control+k')
    await panel().getByRole('tab', { name: 'Search', selected: true }).waitFor()
    await ask('quay')
    await panel().locator('mark').first().waitFor()
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
    expect(await page.getByRole('button', { name: 'Ask a question' }).evaluate((one) => one.matches(':focus'))).toBe(
      true,
    )
  })

  it('says that it cannot answer, in the language of the page, and shows pages and a contact', async () => {
    const counted = await saveKeychain({ dailyMessages: 1 })
    expect(counted).toBe(key)
    tag = script('data-lang="de" data-contact="mailto:hallo@lamps.example"')
    await page.goto(hostOrigin)
    await page.getByRole('button', { name: 'Frage stellen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Frage stellen' })
    for (const question of ['lamp', 'bright lamp']) {
      await dialog.getByRole('textbox').fill(question)
      await dialog.getByRole('textbox').press('Enter')
      await dialog.getByRole('button', { name: 'Senden' }).waitFor()
    }
    await dialog.getByText('Ich kann gerade nicht antworten.').first().waitFor()
    await dialog
      .getByRole('list', { name: /^Treffer/ })
      .first()
      .waitFor()
    await dialog.getByRole('link', { name: 'Kontakt' }).first().waitFor()
    await saveKeychain({ dailyMessages: null })
  })

  it('offers a contact where nothing was found', async () => {
    tag = script('data-contact="https://lamps.example/contact"')
    await open()
    await ask('Zyzzyva quokka?')
    const contact = panel().getByRole('link', { name: 'Contact us' })
    await contact.waitFor()
    expect(await contact.getAttribute('href')).toBe('https://lamps.example/contact')
  })

  it('is used with the keyboard alone, which returns to the button', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: hostOrigin })
    await page.goto(hostOrigin)
    const bubble = page.getByRole('button', { name: 'Ask a question' })
    await bubble.waitFor()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Ask a question')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Your question')
    await page.keyboard.type('Which lamp is bright?')
    await page.keyboard.press('Enter')
    await panel().getByRole('list', { name: 'Sources' }).waitFor()
    await panel().getByRole('button', { name: 'Send' }).waitFor()

    await tabTo('Not helpful', 'Shift+Tab')
    await page.keyboard.press('Space')
    await expect.poll(focused).toBe('What was missing?')
    await page.keyboard.type('The price')
    await page.keyboard.press('Enter')
    await panel().getByText('Thank you.').waitFor()
    expect(await focused()).toBe('Not helpful')
    await tabTo('Helpful', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await panel().getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor()
    await tabTo('Copy', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await panel().getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Every lamp can be opened')
    await page.keyboard.press('Shift+Tab')
    const card = panel().getByRole('list', { name: 'Sources' }).getByRole('link').last()
    expect(await card.evaluate((one) => one.matches(':focus'))).toBe(true)
    await tabTo('1', 'Shift+Tab')
    expect(await panel().locator('.cite').first().getAttribute('href')).toMatch(/^http/)

    await tabTo('New conversation', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Your question')
    expect(await panel().getByText('Which lamp is bright?').count()).toBe(0)

    await page.keyboard.press('Control+k')
    await expect.poll(focused).toBe('What are you looking for?')
    await page.keyboard.type('quay')
    await page.keyboard.press('Enter')
    const found = panel().getByRole('list', { name: /^Results/ })
    await found.waitFor()
    await page.keyboard.press('Shift+Tab')
    expect(
      await found
        .getByRole('link')
        .last()
        .evaluate((one) => one.matches(':focus')),
    ).toBe(true)
    await tabTo('Search', 'Shift+Tab')
    await page.keyboard.press('ArrowLeft')
    await panel().getByRole('tab', { name: 'Ask', selected: true }).waitFor()
    expect(await focused()).toBe('Ask')
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toBe('Search')
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
    expect(await focused()).toBe('Ask a question')
  })

  it('has a name and a role for each part', async () => {
    await open()
    await field().waitFor()
    expect(await panel().ariaSnapshot()).toBe(
      [
        '- dialog "Ask a question":',
        '  - banner:',
        '    - heading "Ask a question" [level=2]',
        '    - text: Answers from our website, with sources',
        '    - button "New conversation": +',
        '    - button "Close": ✕',
        '  - tablist:',
        '    - tab "Ask" [selected]',
        '    - tab "Search"',
        '  - log "Ask"',
        '  - textbox "Your question"',
        '  - button "Send": ↑',
      ].join('\n'),
    )
    await ask('Which lamp is bright?')
    await panel().getByRole('button', { name: 'Copy' }).waitFor()
    const answered = await panel().ariaSnapshot()
    for (const part of [
      '- link "1"',
      '- list "Sources":',
      '- button "Copy"',
      '- button "Helpful"',
      '- button "Not helpful"',
    ])
      expect(answered).toContain(part)
  })

  it('works in a sandboxed frame with a key for any origin, and says so with another one', async () => {
    await saveKeychain({ allowedOrigins: '' })
    await page.goto(`${hostOrigin}/frame`)
    const frame = page.frameLocator('iframe')
    const inFrame = frame.getByRole('dialog', { name: 'Ask a question' })
    const askThere = async () => {
      await inFrame.getByRole('textbox').fill('Which lamp is bright?')
      await inFrame.getByRole('textbox').press('Enter')
    }
    await frame.getByRole('button', { name: 'Ask a question' }).click()
    await askThere()
    await inFrame.getByRole('list', { name: 'Sources' }).waitFor()
    await saveKeychain({ allowedOrigins: hostOrigin })
    await askThere()
    await inFrame.getByText('The widget can’t answer on this sandboxed page.').waitFor()
  })

  it('works beside hostile pages, 360 pixels wide', async () => {
    head = `<style nonce="host">sitelore-widget,div,section,button{display:none!important;color:red!important;font-size:40px!important}</style><script nonce="host">
      Object.prototype.polluted='yes';Array.prototype.toJSON=function(){return 'no'};String.prototype.toJSON=function(){return '"'+this+'"'};
      setInterval(()=>postMessage({type:'answer-end',message:{content:'FORGED'}},'*'),50)</script>`
    await page.setViewportSize({ width: 360, height: 640 })
    await open()
    await ask('Which "lamp" is \\bright?')
    await panel().getByRole('list', { name: 'Sources' }).waitFor()
    const box = await panel().boundingBox()
    expect([box?.x, box?.width]).toEqual([0, 360])
    // The button would cover the one that sends.
    expect(await page.getByRole('button', { name: 'Close', exact: true }).count()).toBe(1)
    await expect.poll(() => panel().getByText('FORGED').count()).toBe(0)
    await panel().getByText('Which "lamp" is \\bright?').waitFor()
  })

  it('is part of the page where the tag is, and takes calls of the page', async () => {
    tag = script('data-mode="inline" data-title="Ask the lamp makers" data-suggestions="Which lamp is bright?|Prices"')
    await page.goto(hostOrigin)
    const region = page.getByRole('region', { name: 'Ask the lamp makers' })
    await region.getByRole('button', { name: 'Which lamp is bright?' }).click()
    await region.getByRole('list', { name: 'Sources' }).waitFor()
    const answered = page.evaluate(
      () =>
        new Promise((resolve) => {
          const { Sitelore } = window as unknown as { Sitelore: PageApi }
          Sitelore.on('answer', resolve)
          Sitelore.ask('Is it bright?')
        }),
    )
    expect(await answered).toMatchObject({ question: 'Is it bright?' })
  })

  it('is opened and closed by the page, which listens until it no longer wants to', async () => {
    await page.goto(hostOrigin)
    await page.getByRole('button', { name: 'Ask a question' }).waitFor()
    await page.evaluate(() => {
      const seen: string[] = []
      const { Sitelore } = window as unknown as { Sitelore: PageApi }
      const endListening = ['open', 'close'].map((event) => Sitelore.on(event, () => seen.push(event)))
      Object.assign(window, { seen, endListening })
      Sitelore.open()
    })
    await field().waitFor()
    await page.evaluate(() => (window as unknown as { Sitelore: PageApi }).Sitelore.close())
    await panel().waitFor({ state: 'hidden' })
    await page.evaluate(() => {
      const { Sitelore, endListening } = window as unknown as { Sitelore: PageApi; endListening: (() => void)[] }
      for (const end of endListening) end()
      Sitelore.open()
    })
    await field().waitFor()
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(['open', 'close'])
  })

  it('is served with an integrity that does not change', async () => {
    const get = (path: string) => fetch(world.app.config.publicUrl + path)
    const loader = await get('/widget.js')
    const { 'widget.js': integrity } = JSON.parse(readFileSync(`${folder}/integrity.json`, 'utf8'))
    expect(
      `sha384-${createHash('sha384')
        .update(await loader.text())
        .digest('base64')}`,
    ).toBe(integrity)
    expect(loader.headers.get('cache-control')).toBe('public, max-age=300')
    expect(loader.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const panelName = readdirSync(folder).find((name) => /^widget-[0-9a-f]{12}\.js$/.test(name))
    const panelFile = await get(`/${panelName}`)
    expect(panelFile.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await get('/widget-0123456789ab.js')).status).toBe(404)

    tag = script(`integrity="${integrity}" crossorigin="anonymous"`)
    await open()
    await field().waitFor()
    tag = script(`integrity="sha384-${'A'.repeat(64)}" crossorigin="anonymous"`)
    const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'))
    await page.goto(hostOrigin)
    await refused
    expect(await page.getByRole('button', { name: 'Ask a question' }).count()).toBe(0)
  })
})
