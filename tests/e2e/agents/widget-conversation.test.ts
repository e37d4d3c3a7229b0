import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { incompleteAnswers } from '../../../contract/texts/chat/message-status'
import { messages } from '../../../db/schema/threads'
import type { ApiWorld } from '../../support/api/api-world'
import { chromium } from '../../support/browser/chromium'
import { widgetWorld } from '../../support/browser/widget-world'

describe.skipIf(chromium === null)('a conversation with the widget', () => {
  const widget = widgetWorld()
  const { host, panel, open, ask, script, saveKeychain } = widget
  let world: ApiWorld
  let page: Page

  beforeEach(() => {
    ;({ world, page } = widget)
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
    await cards.first().waitFor()
    await panel().getByRole('button', { name: 'Stop' }).click()
    await panel().getByText('Stopped.').waitFor()
    const inText = panel().locator('a.cite')
    expect(await cards.locator('.cite').allTextContents()).toEqual(await inText.allTextContents())
    expect(await cards.first().getAttribute('href')).toBe(await inText.first().getAttribute('href'))
  })

  it('puts a question that is too long back into the field, and says how long it can be', async () => {
    host.tag = script('data-lang="de" data-contact="https://lamps.example/contact"')
    await page.goto(host.origin)
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

  it('says that it cannot answer, in the language of the page, and shows pages and a contact', async () => {
    const counted = await saveKeychain({ dailyMessages: 1 })
    expect(counted).toBe(host.key)
    host.tag = script('data-lang="de" data-contact="mailto:hallo@lamps.example"')
    await page.goto(host.origin)
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
    await dialog.getByRole('link', { name: 'Nachricht schreiben' }).first().waitFor()
    await saveKeychain({ dailyMessages: null })
  })

  it.each<[why: string, refuse: () => Promise<void> | void, reason: RegExp]>([
    [
      'origin',
      async () => void (await saveKeychain({ allowedOrigins: 'https://other.example' })),
      /^Sitelore: This public key does not accept calls from http:\S+\. .*\/dashboard\/agents$/,
    ],
    [
      'key',
      async () => void (await saveKeychain({ regenerate: true })),
      /^Sitelore: This key does not exist or was regenerated\. .*\/dashboard\/agents$/,
    ],
    [
      'policy',
      () => {
        host.connect = "'none'"
      },
      /^Sitelore: The page's Content-Security-Policy blocks calls to .*\/help\/widget#a-strict-policy$/,
    ],
  ])('tells the owner once, and visitors without Retry, that its %s is refused', async (_why, refuse, reason) => {
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await refuse()
    await open()
    for (let asked = 1; asked <= 2; asked++) {
      await ask('Which lamp is bright?')
      await expect.poll(() => panel().getByText('The assistant is not available on this page.').count()).toBe(asked)
    }
    expect(warnings).toEqual([expect.stringMatching(reason)])
    expect(await panel().getByRole('button', { name: 'Retry' }).count()).toBe(0)
    await page.keyboard.press('Control+k')
    await panel().getByRole('tab', { name: 'Search', selected: true }).waitFor()
    await ask('quay')
    await panel().getByRole('region').getByText('The assistant is not available on this page.').waitFor()
  })

  it('offers to try again where the server was not reached', async () => {
    await open()
    await page.route('**/v1/public/chat', (route) => route.abort())
    await ask('Which lamp is bright?')
    await panel().getByText('No connection. Try again in a moment.').waitFor()
    await page.unroute('**/v1/public/chat')
    await panel().getByRole('button', { name: 'Retry' }).click()
    await panel().getByRole('list', { name: 'Sources' }).waitFor()
    expect(await panel().locator('.me').allTextContents()).toEqual(['Which lamp is bright?'])
    expect(await panel().getByText('No connection.').count()).toBe(0)
  })

  it('opens a restored conversation at its last message', async () => {
    await open()
    world.provider.next({ kind: 'answer', text: 'One line.\n\n'.repeat(60) }, { kind: 'answer', text: 'The last one.' })
    await ask('Which lamp is bright?')
    await panel().getByRole('button', { name: 'Copy' }).waitFor()
    await ask('Is it bright?')
    await panel().getByText('The last one.').waitFor()
    await open()
    await panel().getByText('The last one.').waitFor()
    const fromEnd = () =>
      panel()
        .getByRole('log')
        .evaluate(({ scrollHeight, scrollTop, clientHeight }) => [
          clientHeight > 0,
          scrollHeight - scrollTop - clientHeight,
        ])
    await expect.poll(fromEnd).toEqual([true, 0])
  })

  it('offers a contact where nothing was found', async () => {
    host.tag = script('data-contact="https://lamps.example/contact"')
    await open()
    await ask('Zyzzyva quokka?')
    const contact = panel().getByRole('link', { name: 'Leave a message' })
    await contact.waitFor()
    expect(await contact.getAttribute('href')).toBe('https://lamps.example/contact')
  })
})
