import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageStatuses } from '../../../contract/values/enumerations'
import { SQLite } from '../../../db/sqlite-driver'
import { chromium } from '../../support/browser/chromium'
import { axeFindings, createCollection, type OpenBrowser, openBrowser, signIn } from '../../support/browser/newcomer'
import { type Provider, startProvider } from '../../support/providers/provider'
import { lampSite, type Site } from '../../support/sites/site'
import { type BuiltServer, runCommand, startServerWithAccount } from '../../support/web/server'

describe.skipIf(chromium === null)('a person who chats with an agent', () => {
  let server: BuiltServer
  let site: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page
  let agent: string

  beforeAll(async () => {
    provider = await startProvider({ keys: ['good-key'] })
    site = await lampSite()
    server = await startServerWithAccount({ OPENAI_BASE_URL: provider.baseUrl })
    // A flagged message and a used-up plan, which the browser also writes to its console.
    browser = await openBrowser((text) => /status of (422|429)/.test(text))
    page = browser.page
    await signIn(page, server)
    await createCollection(page, server, 'Lamp manuals')
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Add source' }).first().click()
    await page.locator('#add-source-url').fill(`${site.origin}/`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Idle').first().waitFor()
    await page.goto(`${server.origin}/dashboard/agents?dialog=create`)
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Name', { exact: true }).fill('Workshop helper')
    await page.getByRole('button', { name: 'Add agent' }).click()
    await page.waitForURL(/dashboard\/agent\//)
    agent = server.origin + new URL(page.url()).pathname
    await page.goto(`${agent}?dialog=link`)
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Collection', { exact: true }).selectOption({ label: 'Lamp manuals' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Collection linked successfully').waitFor()
    await saveKey('good-key')
    await page.getByText('Operational').first().waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await site?.close()
    await provider?.close()
  })

  it('gets an answer with its cited sources, and sees what it was made from', async () => {
    await openChat()
    await ask('How do I change the battery of my Storm 40?')
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    await page.getByText(/^\d sources?$/).waitFor()
    const citation = page.getByRole('button', { name: 'Source 1' }).first()
    await citation.click()
    const card = page.getByRole('dialog', { name: 'Source 1' })
    const marked = (await card.locator('mark').first().innerText()).trim()
    expect(marked.length).toBeGreaterThan(10)
    expect(await card.getByRole('link', { name: 'Open the passage' }).getAttribute('href')).toContain(':~:text=')
    await page.keyboard.press('Escape')
    expect(await page.locator('details ol mark').first().innerText()).toBe(marked)
    await page.getByRole('link', { name: 'Inspect' }).click()
    const inspection = page.getByRole('dialog')
    await inspection.getByText('How do I change the battery of my Storm 40?').waitFor()
    await inspection.getByText('Answered', { exact: true }).waitFor()
    const facts = await inspection.locator('dl > div').allInnerTexts()
    expect(facts.map((fact) => fact.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^Model \S+ · \S+$/),
      'Verdict Answered',
      expect.stringMatching(/^Tokens in [1-9][\d,]*$/),
      expect.stringMatching(/^Tokens out [1-9][\d,]*$/),
      ...['Time', 'Search', 'First word'].map((name) => expect.stringMatching(RegExp(`^${name} \\d+\\.\\d\\d s$`))),
    ])
    await inspection
      .getByText(/Score 0\.\d{4}/)
      .first()
      .waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.goBack()
    await inspection.waitFor({ state: 'detached' })
  })

  it('is no wider than a phone with long titles of sources', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page
      .locator('ol a span')
      .first()
      .evaluate((title) => title.append(' and a very long title'.repeat(8)))
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('asks a follow-up that names its subject as "it"', async () => {
    await ask('Where do I bring it when it is empty?')
    await expect.poll(() => page.getByRole('link', { name: 'Inspect' }).count()).toBe(2)
    await page.getByRole('link', { name: 'Inspect' }).nth(1).click()
    const inspection = page.getByRole('dialog')
    await inspection
      .getByText('Where do I bring it when it is empty?\nHow do I change the battery of my Storm 40?')
      .waitFor()
    await page.goBack()
    await inspection.waitFor({ state: 'detached' })
  })

  it('finds its threads by their first questions', async () => {
    await page.getByText('Your threads', { exact: true }).click()
    await page.getByRole('link', { name: 'How do I change the battery of my Storm 40?' }).waitFor()
    await page.keyboard.press('Escape')
  })

  // contract 1.8: A thread can be shared publicly
  // contract 2a.3: /thread/{threadId}
  // contract 2i.18: Inspection is hidden on the public page
  // contract 2k.1: A shared thread shows its messages read-only
  // contract 2k.2: Without a threadId it redirects to the root
  // contract 2k.3: 'Thread not found or is no longer public'
  // texts Threads: `Thread not found or is no longer public`
  // contract 4.12: Share sets published_at, then Copy link is offered
  // contract 8e.2: 'Thread shared successfully'
  // texts Success: `Saved to clipboard`
  it('shares a thread, whose link a stranger opens', async () => {
    await openChat()
    await ask('How do I change the battery of my Storm 40?')
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByText('Thread shared successfully').waitFor()
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin })
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Saved to clipboard').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/^http:\/\/localhost:\d+\/thread\/[\w-]{20,}$/)

    const stranger = await openBrowser()
    try {
      await stranger.page.goto(link)
      await stranger.page.getByRole('heading', { name: 'How do I change the battery of my Storm 40?' }).waitFor()
      expect(await stranger.page.title()).toMatch(/^How do I change the battery of my Storm 40\? · /)
      await stranger.page.getByText(/^Workshop helper · Shared /).waitFor()
      await stranger.page.getByRole('article', { name: 'Answer' }).getByRole('link').first().waitFor()
      const sources = stranger.page.getByRole('article', { name: 'Answer' }).locator('details')
      await sources.getByText(/^\d sources?$/).waitFor()
      expect(await sources.locator('mark').first().innerText()).not.toBe('')
      expect(await sources.getByRole('link').first().getAttribute('href')).toContain(':~:text=')
      expect(await axeFindings(stranger.page)).toEqual([])
      expect(stranger.problems).toEqual([])
    } finally {
      await stranger.close()
    }
    const shown = await fetch(link)
    const html = await shown.text()
    expect(shown.headers.get('x-robots-tag')).toBe('noindex')
    expect(html).toContain('<meta name="robots" content="noindex"/>')
    expect(html).toContain('Storm 40')
    expect(html).not.toContain('<script')
    const agentId = new URL(agent).pathname.split('/').at(-1) ?? ''
    for (const hidden of [
      agentId,
      'ada@example.com',
      'gpt-',
      'openai',
      'Inspect',
      'Harbour Lamps',
      'Copy link',
      'tokens',
    ])
      expect(html, hidden).not.toContain(hidden)
    const missing = await fetch(`${server.origin}/thread/none`)
    expect(missing.status).toBe(404)
    expect(await missing.text()).toContain('Thread not found or is no longer public')
    for (const path of ['/thread', '/thread/']) {
      const redirect = await fetch(server.origin + path, { redirect: 'manual' })
      expect([path, redirect.status, redirect.headers.get('location')]).toEqual([path, 302, '/'])
    }
    const thread = link.split('/').at(-1)
    expect((await fetch(`${server.origin}/v1/public/threads/published/${thread}`)).status).toBe(200)
    const exported = await page.request.get(`${server.origin}/dashboard/threads/${thread}/export`)
    expect(await exported.json()).toMatchObject({ title: 'How do I change the battery of my Storm 40?' })
    await page.goto(`${server.origin}/dashboard/threads`)
    await page
      .getByRole('link', { name: /^How do I change the battery of my Storm 40\?/ })
      .first()
      .waitFor()
    await page.getByRole('region', { name: 'Today' }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Search in questions').fill('no such question')
    await page.getByText('No thread matches').waitFor()
    await page.waitForURL(/question=no\+such\+question/)
  })

  it('keeps code, tables and long words of an answer inside, on every screen that shows it', async () => {
    const code = `const ${'lamp'.repeat(60)} = await fetch('https://lamps.example/${'x'.repeat(200)}')`
    const cells = Array.from({ length: 12 }, (_, index) => `column_${index}_${'w'.repeat(20)}`).join(' | ')
    const table = `| ${cells} |\n|${'---|'.repeat(12)}\n| ${cells} |`
    const text = `Run this [1]:\n\n\`\`\`js\n${code}\n\`\`\`\n\n${table}\n\n${'Donaudampfschiff'.repeat(20)} and \`${'inline'.repeat(40)}\` https://lamps.example/${'path'.repeat(60)}`
    await openChat()
    provider.next({ kind: 'answer', text })
    await ask(`How do I change the battery of my ${'Storm'.repeat(50)}?`)
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByText('Thread shared successfully').waitFor()
    const chat = page.url()
    const thread = new URL(chat).searchParams.get('thread') ?? ''
    expect(thread).not.toBe('')
    const inspect = new URL((await page.getByRole('link', { name: 'Inspect' }).getAttribute('href')) ?? '', chat).href
    const screens = [chat, inspect, `${server.origin}/dashboard/threads/${thread}`, `${server.origin}/thread/${thread}`]
    const wider: string[] = []
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      for (const screen of screens) {
        await page.goto(screen)
        await page.getByText('Run this').first().waitFor()
        const found = await page.evaluate(() => {
          const { scrollWidth } = document.documentElement
          const hidden = [...document.querySelectorAll('button, [role=log], article, dialog')].filter((element) => {
            const { right, width } = element.getBoundingClientRect()
            return width > 0 && right > innerWidth + 1
          })
          return { scrollWidth, hidden: hidden.map((element) => element.textContent?.slice(0, 20)) }
        })
        if (found.scrollWidth > width || found.hidden.length > 0)
          wider.push(`${new URL(screen).pathname} at ${width}: ${JSON.stringify(found)}`)
      }
    }
    expect(wider).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('goes to what was just asked, offers the way back down, and shows a failure where it happens', async () => {
    await openChat()
    const long = Array.from({ length: 60 }, (_, index) => `Line ${index} about the battery.`).join('\n\n')
    provider.next({ kind: 'answer', text: `${long} [1]` })
    await ask('How do I change the battery of my Storm 40?')
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    const log = page.getByRole('log', { name: 'Messages' })
    const jump = page.getByRole('button', { name: 'Jump to latest' })
    expect(await jump.count()).toBe(0)
    await log.evaluate((element) => element.scrollTo(0, 0))
    await jump.waitFor()
    await jump.click()
    await jump.waitFor({ state: 'detached' })
    expect(await log.evaluate((item) => item.scrollHeight - item.scrollTop - item.clientHeight)).toBeLessThan(5)

    await log.evaluate((element) => element.scrollTo(0, 0))
    await jump.waitFor()
    provider.next({ kind: 'status', status: 400, error: { message: 'No.' } })
    await ask('And where do I bring the old one?')
    const failure = log.getByRole('alert').or(log.getByText('Not answered')).first()
    await failure.waitFor()
    await expect.poll(() => isInView(failure)).toBe(true)
    await expect.poll(() => isInView(page.getByText('And where do I bring the old one?').last())).toBe(true)
    expect(await page.locator('.notification').count()).toBe(0)
  })

  // contract 8b.2: 'Your prompt was flagged by Moderation API'
  // texts Answers that fail: `Your prompt was flagged by Moderation API`
  it('is shown that a message was flagged', async () => {
    await openChat()
    const asked = provider.requests.length
    await ask('How do I do something harmful with a lamp?')
    await page.getByRole('article', { name: 'Answer' }).getByText('Your prompt was flagged by Moderation API').waitFor()
    expect(provider.requests).toHaveLength(asked)
  })

  // texts Answers that fail: `Chat API usage limit reached`, `You can no longer send any more messages.`
  it('is shown that the messages of the month are used up', async () => {
    await runCommand(server, 'plans', 'set', 'tiny', '--messages', '1')
    await runCommand(server, 'plans', 'assign', 'tiny')
    await openChat()
    const asked = provider.requests.length
    await ask('How do I change the battery of my Storm 40?')
    const answer = page.getByRole('article', { name: 'Answer' })
    await answer.getByText('You can no longer send any more messages.').waitFor()
    await page.getByText('Chat API usage limit reached').first().waitFor()
    expect(provider.requests).toHaveLength(asked)
    await runCommand(server, 'plans', 'assign', 'unlimited')
    await answer.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
  })

  it('shows plainly that nothing was found', async () => {
    await openChat()
    const asked = provider.requests.length
    await ask('Zyzzyva quokka?')
    await page.getByText("I couldn't find anything about this.").waitFor()
    expect(provider.requests).toHaveLength(asked)
  })

  it('is greeted back', async () => {
    await openChat()
    await ask('Hello!')
    await page.getByText('Hello! What would you like to know?').waitFor()
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    await expect.poll(() => page.getByText(/\d sources?/).count()).toBe(0)
  })

  it('stops an answer and keeps its text', async () => {
    await openChat()
    provider.next({ kind: 'stall', words: 5 })
    await ask('How do I change the battery of my Storm 40?')
    await page.getByRole('article', { name: 'Answer' }).locator('.prose').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await provider.requests.at(-1)?.closed
    await page.getByText('Stopped before the end of the answer.').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  // contract 4.13: A message with status 0 shows its status_message, or 'Failed'
  it('sees the reason of a wrong key, and the status of the agent', async () => {
    await saveKey('wrong-key')
    await openChat()
    await ask('How do I change the battery of my Storm 40?')
    await page
      .getByText(/OpenAI rejected the API key/)
      .first()
      .waitFor()
    await page.getByText('Not answered').waitFor()
    await page.getByText('Invalid Provider API Key').first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(browser.problems).toEqual([])
    const database = new SQLite(join(server.dataDir, 'sitelore.db'))
    database.prepare('update messages set status_message = null where status = ?').run(messageStatuses.error)
    database.close()
    await page.reload()
    await page.getByText('Failed', { exact: true }).first().waitFor()
  })

  it('archives the agent, which answers no more until it is restored', async () => {
    await openChat()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Agent archived').waitFor()
    await page.getByText('This agent is archived').waitFor()
    expect(await page.getByLabel('Message', { exact: true }).count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    await page.goto(`${server.origin}/dashboard/agents`)
    await page.getByRole('row').filter({ hasText: 'Workshop helper' }).getByText('Archived').waitFor()
    await openChat()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Agent restored').waitFor()
    await page.getByLabel('Message', { exact: true }).waitFor()
  })

  async function isInView(locator: Locator): Promise<boolean> {
    return locator.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      const log = element.closest('[role=log]')?.getBoundingClientRect()
      return log !== undefined && top >= log.top - 1 && bottom <= log.bottom + 1
    })
  }

  async function saveKey(key: string): Promise<void> {
    await page.goto(`${agent}/ai`)
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Provider', { exact: true }).selectOption('openai')
    await page.getByLabel('Model', { exact: true }).fill('gpt-4.1-mini')
    await page
      .getByLabel(/API key/)
      .first()
      .fill(key)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Agent edited successfully').waitFor()
  }

  async function openChat(): Promise<void> {
    await page.goto(agent)
    await page.waitForLoadState('networkidle')
  }

  async function ask(question: string): Promise<void> {
    await page.getByLabel('Message', { exact: true }).fill(question)
    await page.keyboard.press('Enter')
  }
})
