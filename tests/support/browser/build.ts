import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as playwright } from 'playwright-core'
import { ensureBuilt } from '../../../scripts/lib/build.mjs'
import { startBuiltServer } from '../web/server'
import { chromium } from './chromium'
import { openBrowser, signUp } from './newcomer'

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
  const folder = await prepareAccount()
  process.env.TEST_ACCOUNT = folder
  return async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Signs the first account up with its organization, and stores the data folder and the cookies. Files start from them:
 * a sign-up takes as long as ten pages.
 */
async function prepareAccount(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sitelore-account-'))
  const server = await startBuiltServer({ DATA_DIR: join(folder, 'data') })
  const { page, context, close } = await openBrowser()
  try {
    await signUp(page, server)
    await writeFile(join(folder, 'cookies.json'), JSON.stringify(await context.cookies()))
  } finally {
    await close()
    await server.stop()
  }
  return folder
}
