import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTransformersEmbedder } from '../../../server/adapters/embedding/transformers'
import { builtAssets } from '../../../server/http/create-server'
import { startTestWorkers } from '../../support/app'
import { chromium } from '../../support/browser/chromium'
import { type OpenBrowser, openBrowser } from '../../support/browser/newcomer'
import { startProvider } from '../../support/providers/provider'
import { linkedPages } from '../../support/sites/linked-pages'
import { lampSite, startSite } from '../../support/sites/site'
import { startWebSite } from '../../support/web/web-site'
import { accountScreens } from './account'
import { adminScreens } from './back-office'
import { agentScreens, threadScreens, viewerScreens } from './chats'
import { collectionScreens } from './collections'
import { embeddingModelScreens } from './embedding-model'
import { emptyScreens, guestScreens, manualScreens, onboardingScreens, setUpScreens } from './first-steps'
import { momentScreens } from './moments'
import { linkScreens, organizationScreens, staleScreens, waitingScreens } from './organizations'
import { createShoot, type Tour } from './tour'

/** Each stop builds on those before it. */
const stops: [name: string, (tour: Tour) => Promise<void>][] = [
  ['what everybody can read', guestScreens],
  ['the first account', setUpScreens],
  ['the onboarding', onboardingScreens],
  ['empty lists', emptyScreens],
  ['the manual', manualScreens],
  ['a collection', collectionScreens],
  ['the embedding model of a collection', embeddingModelScreens],
  ['an agent', agentScreens],
  ['threads', threadScreens],
  ['what is there for a moment, for a guest, or when something is wrong', momentScreens],
  ['organizations', organizationScreens],
  ['links of e-mails', linkScreens],
  ['a stale tab', staleScreens],
  ['the account', accountScreens],
  ['the back office', adminScreens],
  ['what a viewer sees', viewerScreens],
  ['an organization that waits', waitingScreens],
]

const wanted = process.env.SCREENS
const built = (path: string) => fileURLToPath(new URL(`../../../build/${path}`, import.meta.url))

// One tour through all states of the screens. `npm run screens` takes pictures of the same states.
describe.skipIf(chromium === null)('every state of a screen', () => {
  let browser: OpenBrowser
  let tour: Tour
  const problems: string[] = []
  const close: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const build = await import(built('server/index.js'))
    const provider = await startProvider({ otherwise: { kind: 'answer', chunkDelayMs: 5 } })
    const site = await lampSite()
    const slowSite = await startSite(linkedPages(300, () => {}, 80))
    const embedder = await createTransformersEmbedder({ modelFolder: 'models/all-MiniLM-L6-v2' })
    const { app, origin, ...server } = await startWebSite(
      [],
      {
        CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1',
        CRAWL_DELAY_MS: '0',
        OPENAI_BASE_URL: provider.baseUrl,
        OPENAI_API_KEY: 'any-text',
      },
      { embedder: async () => embedder },
      { build, assets: builtAssets(built('client')) },
    )
    const runner = await startTestWorkers(app)
    const embedding = app.startEmbedding()
    // The browser logs the 400 of an invalid form, the 409 of a stale one and the 413 of a large file to its console.
    browser = await openBrowser((text) => /status of (400|409)/.test(text))
    const { page } = browser
    const folder = '.screens'
    tour = {
      ...{ app, page, origin, provider, site, slowSite },
      ready: () => page.waitForLoadState('networkidle'),
      idle: async () => {
        await embedding
        await runner.idle()
      },
      shoot: createShoot(origin, wanted ? { folder, wanted: new RegExp(wanted) } : null, (text) => problems.push(text)),
    }
    close.push(browser.close, runner.stop, server.close, site.close, slowSite.close, provider.close)
  }, 60_000)
  afterEach(() => expect([...problems.splice(0), ...browser.problems.splice(0)]).toEqual([]))
  afterAll(async () => {
    for (const end of close) await end()
  })

  it.each(stops)('has no finding of axe and fits its window: %s', (_name, stop) => stop(tour), 180_000)
})
