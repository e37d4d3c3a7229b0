import { expect, it } from 'vitest'
import { startLanguage } from './main-language'

const urlOf = (path: string) => `https://site.example${path}`

function languageOf(pages: Record<string, string | { to: string }>, startPath: string | null = null, type = 'domain') {
  const url = type === 'sitemap' ? urlOf('/maps/sitemap.xml') : urlOf('/')
  return startLanguage({ type: type as 'domain', url, startPath }, async (url) => {
    const page = pages[new URL(url).pathname]
    if (page === undefined) return null
    return typeof page === 'string'
      ? { url, language: page, movedTo: null }
      : { url, language: null, movedTo: urlOf(page.to) }
  })
}

it('is the language of the page that the source starts with', async () => {
  expect(await languageOf({ '/': 'en-us' })).toBe('en')
  expect(await languageOf({ '/': 'en' }, null, 'sitemap')).toBe('en')
  expect(await languageOf({ '/docs/': 'de', '/': 'en' }, '/docs/')).toBe('de')
  expect(await languageOf({ '/docs/': '', '/': 'en' }, '/docs/')).toBe('en')
})

it('is the language at the end of redirects', async () => {
  expect(await languageOf({ '/': { to: '/a' }, '/a': { to: '/b' }, '/b': 'fr' })).toBe('fr')
  expect(await languageOf({ '/': { to: '/en/' } })).toBe('en')
  expect(await languageOf({ '/': { to: '/a' }, '/a': { to: '/' } })).toBe('')
})

it('is unknown without a language', async () => {
  expect(await languageOf({})).toBe('')
  expect(await languageOf({ '/': '' })).toBe('')
})
