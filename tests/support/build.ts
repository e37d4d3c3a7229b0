import { chromium as playwright } from 'playwright-core'
import { ensureBuilt } from '../../scripts/lib/build.mjs'
import { chromium } from './chromium'

/**
 * Global set-up of the browser tests: builds the product as `npm start` serves it, and starts the one browser in which
 * each file opens a context of its own.
 */
export async function setup() {
  if (chromium === null) return
  await ensureBuilt()
  const browser = await playwright.launchServer({
    host: '127.0.0.1',
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
  // Workers inherit the environment.
  process.env.TEST_BROWSER = browser.wsEndpoint()
  return () => browser.close()
}
