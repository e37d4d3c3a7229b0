import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiWorld } from '../../support/api/api-world'
import { chromium } from '../../support/browser/chromium'
import { axeFindings } from '../../support/browser/newcomer'
import { widgetWorld } from '../../support/browser/widget-world'

/** What the widget gives to the page. */
interface PageApi {
  open(): void
  close(): void
  ask(question: string): void
  on(event: string, listen: (detail: unknown) => void): () => void
}

const folder = fileURLToPath(new URL('../../../build/widget', import.meta.url))
const sizeOf = (name: string) => gzipSync(readFileSync(`${folder}/${name}`), { level: 9 }).length

describe('the files of the widget', () => {
  it('are small', () => {
    const names = readdirSync(folder)
    const scripts = names.filter((name) => name.endsWith('.js'))
    expect(sizeOf('widget.js')).toBeLessThanOrEqual(5 * 1024)
    expect(scripts.reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThanOrEqual(15 * 1024)
    for (const name of names.filter((text) => /^widget-[a-z]{2}-/.test(text)))
      expect(sizeOf(name)).toBeLessThanOrEqual(1024)
  })
})

describe.skipIf(chromium === null)('the widget on a page of another origin', () => {
  const widget = widgetWorld()
  const { host, panel, field, open, ask, script, saveKeychain, problems } = widget
  let world: ApiWorld
  let page: Page

  beforeEach(() => {
    ;({ world, page } = widget)
  })

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

  // contract 1.9: Agents can be embedded on a website through a widget
  it('gives a cited answer under a strict policy, and loads nothing before', async () => {
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto(host.origin)
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
    const isOfIcon = (text: string) => text.includes('/icon/agent/')
    expect(problems.filter((text) => !text.includes('favicon') && !isOfIcon(text))).toEqual([])
    // The policy blocks the first icon; the widget shows letters and does not try the others.
    expect(problems.filter(isOfIcon)).toHaveLength(1)
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
    await page.goto(host.origin)
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
    host.language = lang
    const locale = `widget/locales/${lang.slice(0, 2)}.json`
    const texts: { title: string; askLabel: string; send: string } = existsSync(locale)
      ? JSON.parse(readFileSync(locale, 'utf8'))
      : { title: 'Ask a question', askLabel: 'Your question', send: 'Send' }
    await page.goto(host.origin)
    await page.getByRole('button', { name: texts.title }).click()
    const dialog = page.getByRole('dialog', { name: texts.title })
    await dialog.getByRole('textbox', { name: texts.askLabel }).waitFor()
    await dialog.getByRole('button', { name: texts.send }).waitFor()
    expect(await dialog.getAttribute('lang')).toBe(existsSync(locale) ? lang.slice(0, 2) : 'en')
  })

  it('takes its colors from variables of the page, position and theme from the tag', async () => {
    host.head = '<style nonce="host">:root{--sitelore-color:#7a3e00;--sitelore-on-color:#fffaf0}</style>'
    host.tag = script('data-color="#00718f" data-position="left" data-theme="dark"')
    await open()
    const styleOf = (locator: Locator) =>
      locator.evaluate((item) => {
        const { backgroundColor, color, left } = getComputedStyle(item)
        return { backgroundColor, color, left }
      })
    expect(await styleOf(page.getByRole('button', { name: 'Close', exact: true }).last())).toEqual({
      backgroundColor: 'rgb(122, 62, 0)',
      color: 'rgb(255, 250, 240)',
      left: '20px',
    })
    expect(await styleOf(panel())).toMatchObject({ backgroundColor: 'rgb(22, 32, 42)', left: '20px' })
  })

  it.each(['1', '1.5', '2'])('keeps its head on the screen of a page with zoom %s', async (zoom) => {
    host.head = `<style nonce="host">html{zoom:${zoom}}</style>`
    await page.setViewportSize({ width: 1280, height: 720 })
    await open()
    await field().waitFor()
    const head = await panel().getByRole('heading').first().boundingBox()
    const line = await field().boundingBox()
    expect(head?.y).toBeGreaterThan(0)
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThan(720)
  })

  it('shows a cross while it is open', async () => {
    await page.goto(host.origin)
    const bubble = page.getByRole('button', { name: 'Ask a question' })
    const outline = (button: Locator) => button.locator('path').getAttribute('d')
    const closed = await outline(bubble)
    await bubble.click()
    await field().waitFor()
    expect(await outline(page.getByRole('button', { name: 'Close', exact: true }).last())).not.toBe(closed)
    await page.keyboard.press('Escape')
    expect(await outline(bubble)).toBe(closed)
  })

  it('says on its button that it is not available where the page blocks its panel', async () => {
    await page.route('**/widget-*.js', (route) => route.abort())
    await open()
    await expect
      .poll(() => page.getByRole('button', { name: 'Ask a question' }).getAttribute('title'))
      .toBe('The assistant is not available on this page.')
    expect(await panel().count()).toBe(0)
  })

  it('searches with Ctrl-K, without the agent', async () => {
    await page.goto(host.origin)
    await page.getByRole('button', { name: 'Ask a question' }).waitFor()
    await page.keyboard.press('Control+k')
    await panel().getByRole('tab', { name: 'Search', selected: true }).waitFor()
    await ask('quay')
    await panel().locator('mark').first().waitFor()
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
    expect(await page.getByRole('button', { name: 'Ask a question' }).evaluate((item) => item.matches(':focus'))).toBe(
      true,
    )
  })

  it('is used with the keyboard alone, which returns to the button', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.origin })
    await page.goto(host.origin)
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
    expect(await card.evaluate((item) => item.matches(':focus'))).toBe(true)
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
        .evaluate((item) => item.matches(':focus')),
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
    await panel().getByRole('button', { name: 'Lamps for dark evenings' }).waitFor()
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
        '  - log "Ask":',
        '    - heading "What would you like to know?" [level=2]',
        '    - paragraph: Every answer shows the page it comes from.',
        '    - list:',
        '      - listitem:',
        '        - button "Lamps for dark evenings"',
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
    await page.goto(`${host.origin}/frame`)
    const frame = page.frameLocator('iframe')
    const inFrame = frame.getByRole('dialog', { name: 'Ask a question' })
    const askThere = async () => {
      await inFrame.getByRole('textbox').fill('Which lamp is bright?')
      await inFrame.getByRole('textbox').press('Enter')
    }
    await frame.getByRole('button', { name: 'Ask a question' }).click()
    await askThere()
    await inFrame.getByRole('list', { name: 'Sources' }).waitFor()
    await saveKeychain({ allowedOrigins: host.origin })
    await askThere()
    await inFrame.getByText('The assistant is not available on this page.').waitFor()
  })

  it('works beside hostile pages, 360 pixels wide', async () => {
    host.head = `<style nonce="host">sitelore-widget,div,section,button{display:none!important;color:red!important;font-size:40px!important}</style><script nonce="host">
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
    host.tag = script(
      'data-mode="inline" data-title="Ask the lamp makers" data-suggestions="Which lamp is bright?|Prices"',
    )
    await page.goto(host.origin)
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
    await page.goto(host.origin)
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

    host.tag = script(`integrity="${integrity}" crossorigin="anonymous"`)
    await open()
    await field().waitFor()
    host.tag = script(`integrity="sha384-${'A'.repeat(64)}" crossorigin="anonymous"`)
    const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'))
    await page.goto(host.origin)
    await refused
    expect(await page.getByRole('button', { name: 'Ask a question' }).count()).toBe(0)
  })
})
