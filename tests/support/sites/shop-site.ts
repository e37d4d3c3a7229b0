import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Site, type SiteAnswer, startSite } from './site'

const folder = join(import.meta.dirname, '../../fixtures/shop')

/** Starts a small shop in English, German and Polish, with its contacts and opening hours in the footer of each page. */
export function shopSite(): Promise<Site> {
  const pages: Record<string, SiteAnswer> = { '/': { status: 302, headers: { location: '/en/' } } }
  for (const language of readdirSync(folder))
    for (const name of readdirSync(join(folder, language))) {
      const path = name === 'index.html' ? '' : name
      pages[`/${language}/${path}`] = readFileSync(join(folder, language, name), 'utf8')
    }
  return startSite(pages)
}
