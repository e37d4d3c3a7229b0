import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { App } from '../../../server/app'
import { axeFindings } from '../../support/browser/newcomer'
import type { Provider } from '../../support/providers/provider'
import type { Site } from '../../support/sites/site'

export interface Tour {
  app: App
  page: Page
  origin: string
  provider: Provider
  site: Site
  /** Its pages take time, so that a run of it can be watched. */
  slowSite: Site
  /** Waits until the page has loaded everything. */
  ready(): Promise<void>
  /** Waits until no source is being read and every fragment is embedded. */
  idle(): Promise<void>
  shoot: Shoot
}

/**
 * Checks a state of a screen: axe finds nothing, and it is nowhere wider than its window. `prepare` runs before each check,
 * because resizing the window closes popovers.
 */
export type Shoot = (page: Page, name: string, path?: string, prepare?: () => Promise<void>) => Promise<void>

const wide = { name: 'wide', width: 1280, height: 900 }
const narrow = { name: 'narrow', width: 390, height: 844 }
const widths = [360, 390, 768, 1280, 2560]
const pairs = [
  { size: wide, theme: 'light' },
  { size: wide, theme: 'dark' },
  { size: narrow, theme: 'light' },
  { size: narrow, theme: 'dark' },
] as const
/** Each size and each theme once. */
const checked = pairs.filter(({ size, theme }) => (size === wide) === (theme === 'light'))

/** Where pictures go, for the states whose names match; null for none. */
export interface Pictures {
  folder: string
  wanted: RegExp
}

/** `report` gets what is wrong. With pictures, only the states that are wanted are checked, in each size and theme. */
export function createShoot(origin: string, pictures: Pictures | null, report: (problem: string) => void): Shoot {
  if (pictures) mkdirSync(pictures.folder, { recursive: true })
  return async (page, name, path, prepare = async () => {}) => {
    if (path) await page.goto(origin + path)
    await page.getByRole('progressbar', { name: 'Loading' }).waitFor({ state: 'detached' })
    if (pictures && !pictures.wanted.test(name)) return
    for (const { size, theme } of pictures ? pairs : checked) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await prepare()
      const file = `${name}-${size.name}-${theme}.png`
      if (pictures) await page.screenshot({ path: join(pictures.folder, file) })
      for (const { impact, id, html } of await axeFindings(page)) report(`${file}: ${impact} ${id}: ${html}`)
    }
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
      if (isWider) report(`${name} is wider than its ${width} px.`)
    }
    await page.setViewportSize(wide)
  }
}

/** A page in a context of its own, in which nobody is signed in. */
export async function openGuestPage(page: Page): Promise<Page> {
  const guest = await page.context().browser()?.newPage()
  if (!guest) throw new Error('There is no browser.')
  return guest
}

export function sourceRow(page: Page, name: string): Locator {
  const link = page.getByRole('link', { name, exact: true })
  return page.getByRole('table', { name: 'Sources' }).locator('tbody tr').filter({ has: link })
}
