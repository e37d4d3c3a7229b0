import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type BuiltServer, startServerWithAccount } from '../web/server'
import { type OpenBrowser, openBrowser, signIn } from './newcomer'

/** A server with its first account, in one browser, and a guest in another. */
export interface TwoPeople {
  server: BuiltServer
  ada: OpenBrowser
  grace: OpenBrowser
  /** Ends the browsers and the server, which must exit with 0. */
  close(): Promise<void>
}

interface Options {
  environment?: Record<string, string>
  /** Messages on the consoles of the two that are no problems. */
  expected?: [ada: RegExp, grace?: RegExp]
}

export async function startTwoPeople({ environment, expected = [/^$/] }: Options = {}): Promise<TwoPeople> {
  const server = await startServerWithAccount(environment)
  const browsers: OpenBrowser[] = []
  async function close() {
    for (const browser of browsers) await browser.close()
    expect(await server.stop()).toBe(0)
  }
  async function open(isExpected = /^$/) {
    const browser = await openBrowser((text) => isExpected.test(text))
    browsers.push(browser)
    return browser
  }
  try {
    const people = { ada: await open(expected[0]), grace: await open(expected[1]) }
    await signIn(people.ada.page, server)
    return { server, ...people, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Invites with the dialog of the members page. Returns the link. */
export async function invite(admin: Page, { origin }: BuiltServer, email: string): Promise<string> {
  await admin.goto(`${origin}/dashboard/members?dialog=invite`)
  await admin.waitForLoadState('networkidle')
  await admin.getByRole('dialog').getByLabel('E-mail').fill(email)
  await admin.getByRole('button', { name: 'Create invitation' }).click()
  return admin.getByLabel(`Link for ${email}`).inputValue()
}

export const invitedPassword = 'correct horse battery staple'

/** Creates an account with the link of an invitation. */
export async function createAccount(guest: Page, link: string): Promise<void> {
  await guest.goto(link)
  await guest.getByRole('button', { name: /^Join/ }).click()
  await guest.locator('#password').fill(invitedPassword)
  await guest.getByRole('button', { name: 'Create account' }).click()
}

/** Joins by the link, with a new account. */
export async function joinWithAccount(guest: Page, link: string): Promise<void> {
  await createAccount(guest, link)
  await guest.waitForURL('**/dashboard')
}
