import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiWorld } from '../../support/api/api-world'
import { chromium } from '../../support/browser/chromium'
import { widgetWorld } from '../../support/browser/widget-world'

describe.skipIf(chromium === null)('what the widget shows', () => {
  const widget = widgetWorld()
  const { host, panel, open, ask, script } = widget
  let world: ApiWorld
  let page: Page

  beforeEach(async () => {
    ;({ world, page } = widget)
    await suggest(null)
  })

  const suggest = (suggestions: string[] | null) =>
    world.sendJson('admin', 'PUT', `/v1/${world.own.organization}/agents/${world.own.agent}`, { suggestions })
  const answer = (text: string) => world.provider.next({ kind: 'answer', text })

  it('begins with three questions, which ask', async () => {
    await suggest(['Which lamp is bright?', 'Who mends lamps?', 'Is there a warranty?', 'Where is the workshop?'])
    await open()
    const questions = panel().getByRole('listitem').getByRole('button')
    await questions.first().waitFor()
    expect(await questions.allTextContents()).toEqual([
      'Which lamp is bright?',
      'Who mends lamps?',
      'Is there a warranty?',
    ])
    await questions.first().click()
    await panel().getByRole('list', { name: 'Sources' }).waitFor()
    expect(await panel().locator('.me').allTextContents()).toEqual(['Which lamp is bright?'])
    const next = panel().getByRole('list', { name: 'Next questions' }).getByRole('button')
    await next.first().waitFor()
    expect(await next.allTextContents()).not.toContain('Which lamp is bright?')
  })

  it('begins with the greeting and the questions of the tag', async () => {
    host.tag = script('data-greeting="Ahoy!" data-suggestions="Who are you?|Where are you?"')
    await open()
    await panel().getByRole('heading', { name: 'Ahoy!' }).waitFor()
    expect(await panel().getByRole('listitem').allTextContents()).toEqual(['Who are you?', 'Where are you?'])
  })

  it('marks the passage of each source', async () => {
    await open()
    await ask('Which lamp is bright?')
    const source = panel().getByRole('list', { name: 'Sources' }).getByRole('link').first()
    await source.locator('mark').first().waitFor()
    expect(await source.locator('.cite').textContent()).toBe('1')
  })

  it('draws tables, and code with a button to copy it, both within its width', async () => {
    const wide = 'x'.repeat(200)
    answer(
      `| Part | Years |\n| --- | ---: |\n| Body \\| glass | **5** |\n| ${wide} | 2 |\n\n\`\`\`\ncurl ${wide}\n\`\`\`\n\n[1]`,
    )
    await open()
    await ask('Which lamp is bright?')
    await panel().getByRole('button', { name: 'Copy code' }).waitFor()
    const table = panel().getByRole('table')
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Part', 'Years'])
    expect(await table.getByRole('cell').first().textContent()).toBe('Body | glass')
    const log = await panel()
      .getByRole('log')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(log).toBe(0)
  })

  it('keeps what an answer that breaks off has, and asks again', async () => {
    await open()
    world.provider.next({ kind: 'cut', words: 6 })
    await ask('Which lamp is bright?')
    const failure = panel().getByRole('alert')
    await failure.getByText('Connection lost. The answer is incomplete.').waitFor()
    expect(await panel().locator('.it').last().textContent()).toMatch(/\w+ \w+/)
    answer('The bright one [1].')
    await failure.getByRole('button', { name: 'Retry' }).click()
    await panel().getByText('The bright one').waitFor()
    expect(await panel().locator('.me').count()).toBe(1)
    expect(await failure.count()).toBe(0)
  })

  it('offers a message that begins with the question', async () => {
    host.tag = script('data-contact="mailto:help@lamps.example"')
    await open()
    await ask('Zyzzyva quokka?')
    const link = panel().getByRole('link', { name: 'Leave a message' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe('mailto:help@lamps.example?body=Zyzzyva%20quokka%3F')
  })

  it.each(['it', 'pt', 'nl', 'cs', 'uk', 'ja', 'zh', 'ar'])('speaks %s', async (language) => {
    host.tag = script(`data-lang="${language}" data-open`)
    await page.goto(host.origin)
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await dialog.getAttribute('lang')).toBe(language)
    expect(await dialog.getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
    const heading = await dialog.getByRole('heading').first().textContent()
    expect(heading).not.toBe('Ask a question')
    expect(await page.locator('.bubble').getAttribute('aria-label')).not.toMatch(/Ask|Close/)
  })

  it('is opened by buttons of the page, with their question', async () => {
    await page.goto(host.origin)
    await page.locator('main').evaluate((main) => {
      for (const question of ['Which lamp is bright?', '']) {
        const button = document.createElement('button')
        button.dataset.siteloreAsk = question
        button.textContent = question || 'Ask us'
        main.append(button)
      }
    })
    await page.getByRole('button', { name: 'Ask us' }).click()
    await panel().waitFor()
    expect(await panel().locator('.me').count()).toBe(0)
    await page.getByRole('button', { name: 'Which lamp is bright?' }).click()
    await panel().getByRole('list', { name: 'Sources' }).waitFor()
    expect(await panel().locator('.me').allTextContents()).toEqual(['Which lamp is bright?'])
  })

  it.each([
    ['#ffd34d', 'rgb(0, 0, 0)'],
    ['#123456', 'rgb(255, 255, 255)'],
    ['gold', 'rgb(0, 0, 0)'],
  ])('writes readable text on %s', async (color, text) => {
    host.tag = script(`data-color="${color}"`)
    await page.goto(host.origin)
    const bubble = page.getByRole('button', { name: 'Ask a question' })
    expect(await bubble.evaluate((button) => getComputedStyle(button).color)).toBe(text)
  })
})
