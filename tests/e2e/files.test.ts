import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxFileBytes } from '../../contract/sources/file'
import { chromium } from '../support/browser/chromium'
import { axeFindings, type Newcomer, openRowMenu, startNewcomer } from '../support/browser/newcomer'

const prices = 'lamp,price\nStorm 40 lantern,12 euros\nMeadow lantern,9 euros\n'
const file = (name: string, text: string) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })

describe.skipIf(chromium === null)('a person with files', () => {
  let newcomer: Newcomer
  let page: Page
  let collection = ''

  beforeAll(async () => {
    newcomer = await startNewcomer('Papers')
    page = newcomer.page
    collection = newcomer.collection
  }, 120_000)
  afterAll(async () => {
    expect(await newcomer?.close()).toBe(0)
  })

  const dialog = () => page.getByRole('dialog')
  const row = (table: string, text: string) =>
    page.getByRole('table', { name: table }).locator('tbody tr').filter({ hasText: text })
  const accessible = async () => expect(await axeFindings(page)).toEqual([])
  async function openDialog() {
    await page.goto(`${collection}?dialog=add-source`)
    await page.waitForLoadState('networkidle')
    await dialog().getByLabel('File', { exact: false }).first().check()
  }

  // texts Sources: `Max file size 64 MB.`
  it('sees the field for files in place of the address, with what it takes', async () => {
    await openDialog()
    await expect.poll(() => page.locator('#add-source-url').isVisible()).toBe(false)
    await expect.poll(() => dialog().getByRole('button', { name: 'Preview' }).isVisible()).toBe(false)
    await dialog().getByText('Max file size 64 MB.').waitFor()
    await dialog().getByRole('button', { name: 'Add source' }).click()
    await dialog().getByText('Choose a file.').waitFor()
    await accessible()
  })

  it('keeps the type that was chosen before the script ran', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const isScript = (url: URL) => url.pathname.endsWith('.js')
    await page.route(isScript, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${collection}?dialog=add-source`, { waitUntil: 'commit' })
    await dialog().getByRole('radio', { name: 'Sitemap' }).check()
    await dialog().getByText('For example docs.example.com').waitFor()
    release()
    await dialog().getByText('Only XML sitemaps are supported.').waitFor()
    expect(await dialog().getByRole('radio', { name: 'Sitemap' }).isChecked()).toBe(true)
    await page.unroute(isScript)
    await openDialog()
  })

  // texts Sources: `Cannot upload file, it's too big`, `Try uploading a file that is smaller than 64 MB!`
  it('is warned of what is too large or of no use before anything is sent', async () => {
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await page.locator('#add-source-file').setInputFiles([file('picture.png', 'no text')])
    await page.getByText('This file type is not supported', { exact: true }).waitFor()
    await page.locator('#add-source-file').evaluate((field, size) => {
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(size)], 'large.txt'))
      ;(field as HTMLInputElement).files = files.files
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }, maxFileBytes + 1)
    await page.getByText("Cannot upload file, it's too big", { exact: true }).waitFor()
    await page.getByText('Try uploading a file that is smaller than 64 MB!', { exact: true }).waitFor()
    await dialog().getByText("large.txt: Cannot upload file, it's too big. Try uploading").waitFor()
    await page.locator('#add-source-file').evaluate((field, size) => {
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(size)], 'fits.txt'))
      ;(field as HTMLInputElement).files = files.files
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }, maxFileBytes)
    await dialog()
      .getByText(/^Indexing takes about \d+ min after the upload\. Keyword search works/)
      .waitFor()
    await dialog().getByRole('button', { name: 'Remove fits.txt' }).click()
    await expect.poll(() => dialog().getByRole('list', { name: 'Chosen files' }).count()).toBe(0)
    expect(sent).toEqual([])
  })

  it('uploads two at once, and each is a source that can be searched', async () => {
    await page
      .locator('#add-source-file')
      .setInputFiles([file('prices.csv', prices), file('care.txt', 'Wipe the glass.')])
    await dialog().getByText('care.txt').waitFor()
    await accessible()
    await dialog().getByRole('button', { name: 'Add source' }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByText('2 sources added successfully').waitFor()
    await row('Sources', 'prices.csv').getByText(`CSV · ${prices.length} B`).waitFor()
    await row('Sources', 'prices.csv').getByText('Idle').waitFor()
    await row('Sources', 'care.txt').getByText('Idle').waitFor()
    await accessible()
    await page.reload()
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Search in Papers').fill('What does the Meadow lantern cost?')
    await page.keyboard.press('Enter')
    await page.getByText('9 euros').first().waitFor()
    await accessible()
    await page.getByRole('heading', { name: 'prices.csv' }).getByRole('link', { name: 'prices.csv' }).first().click()
    await page.waitForURL('**/address/*')
    await page.getByText('9 euros').first().waitFor()
  })

  it('sees the fragments of a file, and saves the original', async () => {
    await page.goto(collection)
    await page.waitForLoadState('networkidle')
    await row('Addresses', 'prices.csv').getByRole('link', { name: 'prices.csv', exact: true }).click()
    await page.waitForURL('**/address/*')
    await page.getByText('9 euros').first().waitFor()
    await accessible()
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('prices.csv')
    const copy = join(await mkdtemp(join(tmpdir(), 'sitelore-download-')), 'prices.csv')
    await saved.saveAs(copy)
    expect(await readFile(copy, 'utf8')).toBe(prices)
  })

  it('puts a new file in the place of the old one', async () => {
    await page.goto(collection)
    await page.waitForLoadState('networkidle')
    await openRowMenu(row('Sources', 'prices.csv'))
    await row('Sources', 'prices.csv').getByRole('link', { name: 'Edit' }).click()
    await dialog().getByLabel('New file').waitFor()
    await dialog()
      .getByLabel('New file')
      .setInputFiles([file('prices-2027.csv', prices.replace('9 euros', '11 euros'))])
    await dialog().getByText('prices-2027.csv').waitFor()
    await accessible()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Source edited successfully').waitFor()
    await row('Sources', 'prices-2027.csv').getByText('Idle').waitFor()
    await row('Addresses', 'prices-2027.csv').getByRole('link', { name: 'prices-2027.csv', exact: true }).click()
    await page.getByText('11 euros').first().waitFor()
    await expect.poll(() => page.getByText('9 euros').count()).toBe(0)
  })

  it('drops files on the field, and stops an upload without a trace', async () => {
    await openDialog()
    const dropped = await page.evaluateHandle(() => {
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(30 * 1024 * 1024)], 'dropped.txt'))
      return files
    })
    await page.locator('#add-source-file').dispatchEvent('drop', { dataTransfer: dropped })
    await dialog().getByText('dropped.txt').waitFor()
    const network = await newcomer.context.newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 2 * 1024 * 1024,
    })
    await dialog().getByRole('button', { name: 'Add source' }).click()
    await dialog()
      .getByText(/MB of 30 MB/)
      .waitFor()
    await accessible()
    await dialog().getByRole('button', { name: 'Stop' }).click()
    await dialog().getByText('Stopped', { exact: true }).waitFor()
    await dialog().getByRole('button', { name: 'Remove dropped.txt' }).click()
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    await page.goto(collection)
    await expect.poll(() => row('Sources', 'dropped.txt').count()).toBe(0)
  })

  it('needs no script for any of it', async () => {
    const context = await newcomer.context.browser()?.newContext({
      javaScriptEnabled: false,
      storageState: await newcomer.context.storageState(),
    })
    const plain = await context?.newPage()
    if (!plain) throw new Error('There is no browser.')
    await plain.goto(`${collection}?dialog=add-source`)
    await plain.locator('input[type=radio][value=file]').check()
    await expect.poll(() => plain.locator('#add-source-url').isVisible()).toBe(false)
    await plain.locator('#add-source-file').setInputFiles([file('picture.png', 'no text')])
    await plain.getByRole('button', { name: 'Add source' }).click()
    await plain.getByText('This file type is not supported.').first().waitFor()
    await expect.poll(() => plain.locator('input[type=radio][value=file]').isChecked()).toBe(true)
    await plain.locator('#add-source-file').setInputFiles([file('plain.txt', 'Written without a script.')])
    await plain.getByRole('button', { name: 'Add source' }).click()
    await plain.getByText('Source added successfully').waitFor()
    await plain.getByText('TXT · 25 B').waitFor()
    const rowAfterReload = async () => {
      await plain.reload()
      return plain.getByRole('table', { name: 'Sources' }).locator('tr', { hasText: 'plain.txt' }).innerText()
    }
    await expect.poll(rowAfterReload, { timeout: 30_000, interval: 500 }).toContain('Idle')
    await plain.goto(`${collection}?dialog=add-source`)
    await plain.locator('input[type=radio][value=file]').check()
    await plain.locator('#add-source-file').setInputFiles([file('copy.txt', 'Written without a script.')])
    await plain.getByRole('button', { name: 'Add source' }).click()
    await plain.locator('#add-source-file-error').getByText('as "plain.txt"').waitFor()
    await plain.goto(collection)
    const plainRow = plain.getByRole('table', { name: 'Sources' }).locator('tr', { hasText: 'plain.txt' })
    await openRowMenu(plainRow)
    await plainRow.getByRole('link', { name: 'Edit' }).click()
    await plain.locator('input[type=file]').setInputFiles([file('plainer.txt', 'Second draft.')])
    await plain.getByRole('button', { name: 'Save' }).click()
    await plain.getByText('Source edited successfully').waitFor()
    // The old file stays until the new one was read.
    await expect.poll(rowAfterReload, { timeout: 30_000, interval: 500 }).toContain('TXT · plainer.txt · 13 B')
    await context?.close()
  })

  it('met no error on the way', () => {
    expect(newcomer.problems).toEqual([])
  })
})
