import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../../support/browser/chromium'
import { answerQuestions, axeFindings, createCollection } from '../../support/browser/newcomer'
import {
  invite,
  invitedPassword,
  joinWithAccount,
  startTwoPeople,
  type TwoPeople,
} from '../../support/browser/two-people'

const email = 'grace@example.com'

describe.skipIf(chromium === null)('a person whose session or membership ends', () => {
  let people: TwoPeople
  let admin: Page
  let page: Page
  let origin = ''
  /** Of the organization that the two share, and of another one of the person. */
  let sharedCollection = ''
  let ownCollection = ''

  beforeAll(async () => {
    people = await startTwoPeople({ expected: [/^$/, /status of 404/] })
    origin = people.server.origin
    admin = people.ada.page
    page = people.grace.page
    await createCollection(admin, people.server, 'Shared lamps')
    sharedCollection = admin.url()
    await joinWithAccount(page, await invite(admin, people.server, email))
    await page.goto(`${origin}/dashboard?dialog=new-organization`)
    await page.waitForLoadState('networkidle')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Own Lamps')
    await page.getByRole('dialog').getByRole('button', { name: 'Create organization' }).click()
    await page.waitForURL('**/onboarding')
    await answerQuestions(page)
    await createCollection(page, people.server, 'Own lamps')
    ownCollection = page.url()
  }, 180_000)
  afterAll(async () => {
    await people?.close()
  })

  const menu = (person: Page) => person.getByRole('navigation', { name: 'Main' }).locator('summary')
  const selected = async () => (await menu(page).innerText()).split('\n').find((line) => line.endsWith('Lamps'))

  async function logIn(person: Page): Promise<void> {
    await person.locator('#email').fill(email)
    await person.locator('#password').fill(invitedPassword)
    await person.getByRole('button', { name: 'Log in' }).click()
  }

  it('is switched to the organization of a link', async () => {
    await page.goto(sharedCollection)
    await page.getByRole('heading', { name: 'Shared lamps' }).waitFor()
    await page.getByText('Switched to Harbour Lamps').waitFor()
    expect(await selected()).toBe('Harbour Lamps')
    await page.goto(ownCollection)
    await page.getByRole('heading', { name: 'Own lamps' }).waitFor()
    expect(await selected()).toBe('Own Lamps')
    await page.goto(sharedCollection.replace(/[^/]+$/, 'none'))
    await page.getByText("Couldn't find collection").waitFor()
  })

  it('signs in again above what was being done, after another tab has logged out', async () => {
    await page.goto(`${ownCollection}?dialog=edit`)
    await page.waitForLoadState('networkidle')
    const description = page.getByRole('dialog').getByLabel('Description')
    await description.fill('All about lamps.')
    const otherPage = await people.grace.context.newPage()
    await otherPage.goto(`${origin}/dashboard`)
    await otherPage.getByRole('button', { name: 'Log Out' }).click()
    await otherPage.waitForURL(`${origin}/`)
    await otherPage.close()

    const dialog = page.getByRole('dialog', { name: 'You are signed out' })
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    // By then, the dialog may cover it: closing the other tab has shown this page again.
    await save.evaluate((button: HTMLElement) => button.click())
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('link', { name: 'Sign in' }).click()
    await logIn(await opened)
    await dialog.waitFor({ state: 'detached' })
    expect(await description.inputValue()).toBe('All about lamps.')
    await save.click()
    await page.getByText('All about lamps.').waitFor()
  })

  it('is asked to sign in when the page is shown again', async () => {
    await page.goto(`${origin}/dashboard/agents`)
    await page.waitForLoadState('networkidle')
    await people.grace.context.clearCookies()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    const dialog = page.getByRole('dialog', { name: 'You are signed out' })
    await dialog.getByRole('link', { name: 'Leave this page' }).click()
    await page.waitForURL(`${origin}/`)
  })

  it('is led to the page of a link after the sign-in', async () => {
    await people.grace.context.clearCookies()
    await page.goto(`${ownCollection}?status=failed`)
    await page.waitForURL(`${origin}/`)
    await page.getByRole('link', { name: 'Log In' }).click()
    await logIn(page)
    await page.waitForURL(`${ownCollection}?status=failed`)
    await page.getByRole('heading', { name: 'Own lamps' }).waitFor()
    await page.getByRole('button', { name: 'Log Out' }).click()
    await page.waitForURL(`${origin}/`)
    await page.getByRole('link', { name: 'Log In' }).click()
    await logIn(page)
    await page.waitForURL(`${origin}/dashboard`)
  })

  it('finds Leave disabled as the last administrator', async () => {
    await menu(page).click()
    const leave = page.getByRole('button', { name: 'Leave organization' })
    expect(await leave.getAttribute('aria-disabled')).toBe('true')
    await expect
      .poll(() =>
        leave.evaluate((item) => document.getElementById(item.getAttribute('aria-describedby') ?? '')?.innerText),
      )
      .toBe('You are its last administrator. Make another member an administrator first.')
    await page.goto(`${origin}/dashboard?dialog=leave`)
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('reads who removed them from what, and chooses another organization', async () => {
    await page.goto(sharedCollection)
    // The page of a collection has a stream, by which it would learn of it before the click.
    await page.goto(`${origin}/dashboard/account`)
    expect(await selected()).toBe('Harbour Lamps')
    await admin.goto(`${origin}/dashboard/members`)
    const row = admin.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: email })
    await row.getByRole('link', { name: /^Remove/ }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click()
    await row.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Agents', exact: true }).click()
    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor()
    await page.getByText('ada@example.com removed you from Harbour Lamps. What you created there stays.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Own Lamps' }).click()
    await page.waitForURL('**/dashboard')
    expect(await selected()).toBe('Own Lamps')
    expect(people.grace.problems).toEqual([])
  })
})
