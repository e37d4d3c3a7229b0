import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../support/browser/browser'
import { signInRoutes } from '../../support/web/sign-in-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const ada = { email: 'ada@example.test', name: '', surname: '', password: 'correct horse battery' }

let site: WebSite
beforeAll(async () => {
  site = await startWebSite(signInRoutes, { TRUSTED_PROXIES: 'loopback' })
})
afterAll(() => site.close())

const browserAt = (address: string) => createBrowser({ 'x-forwarded-for': address })
const isSignedIn = async (browser: Browser) =>
  (await browser.ask(`${site.origin}/dashboard`)).headers.get('location') !== '/'

/** Guesses wrong passwords, at one account each or all at one, until the client is slowed down. */
async function guessUntilSlow(browser: Browser, email: (guess: number) => string) {
  const form = await browser.open(`${site.origin}/login`)
  for (let guess = 0; guess < 200; guess++) {
    const answer = await browser.submit(form, { email: email(guess), password: 'a guess' })
    if (answer.status !== 401) return { answer, form, guesses: guess }
  }
  throw new Error('200 guesses were answered')
}

test('a set-up link works for a client that guessed passwords', async () => {
  const { answer } = await guessUntilSlow(browserAt('192.0.2.1'), (guess) => `person-${guess}@example.test`)
  expect(answer.status).toBe(429)
  const owner = browserAt('192.0.2.1')
  await owner.submit(await owner.open((await site.app.identity.setupLink()) ?? ''), ada)
  expect(await isSignedIn(owner)).toBe(true)
})

test('ten wrong passwords slow down the client that guessed, not the owner of the account', async () => {
  const { answer, form, guesses } = await guessUntilSlow(browserAt('198.51.100.1'), () => ada.email)
  expect(answer.status).toBe(429)
  expect(guesses).toBeGreaterThanOrEqual(10)
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(30)
  expect(answer.text).toMatch(/Too many attempts\. Try again in \d+ seconds?\./)
  expect(form.text).toContain('name="password"')

  const owner = browserAt('203.0.113.5')
  await owner.submit(await owner.open(`${site.origin}/login`), ada)
  expect(await isSignedIn(owner)).toBe(true)
})

test('a reset link works for a rate-limited client', async () => {
  const owner = browserAt('198.51.100.9')
  await guessUntilSlow(owner, () => ada.email)
  const password = 'a new long password'
  await owner.submit(await owner.open(await site.app.identity.resetLink(ada.email)), { password })
  await owner.submit(await owner.open(`${site.origin}/login`), { email: ada.email, password })
  expect(await isSignedIn(owner)).toBe(true)
})
