import { expect, it } from 'vitest'
import { createAdmission } from './admission'
import { entryPages, startOf } from './entry-pages'

it.each([
  ['https://site.example/docs/17/#intro', 'https://site.example/', '/docs/17/'],
  ['https://site.example/docs?b=2&a=1&utm_source=x', 'https://site.example/', '/docs?a=1&b=2'],
  ['http://site.example:8080/a', 'http://site.example:8080/', '/a'],
  ['https://site.example/', 'https://site.example/', null],
  ['https://site.example/#/intro', 'https://site.example/', null],
])('the domain %s starts in %s at %s', (typed, url, startPath) => {
  expect(startOf({ type: 'domain', url: typed })).toEqual({ url, startPath })
})

it('keeps the address of a page and of a sitemap', () => {
  for (const type of ['url', 'sitemap'] as const) {
    const url = 'https://site.example/docs/a?b#c'
    expect(startOf({ type, url })).toEqual({ url, startPath: null })
    expect(entryPages({ type, url, startPath: null })).toEqual([])
  }
})

it('asks for the page that was typed before the front page, once each', () => {
  const domain = { type: 'domain' as const, url: 'https://site.example/' }
  const [deeper, front] = ['https://site.example/docs/', 'https://site.example/']
  expect(entryPages({ ...domain, startPath: '/docs/' })).toEqual([deeper, front])
  expect(entryPages({ ...domain, startPath: '/' })).toEqual([front])
  expect(entryPages({ ...domain, startPath: null })).toEqual([front])
})

it.each(['//docs/17/', '/a//b', '/?q=1'])('keeps the host of a page at %s', (path) => {
  const start = startOf({ type: 'domain', url: `https://site.example${path}` })
  expect(entryPages({ type: 'domain', ...start })[0]).toBe(`https://site.example${path}`)
})

it('reads excluded entry pages for their links alone', () => {
  const [deeper, front] = ['https://site.example/docs/', 'https://site.example/']
  const rules = { type: 'domain' as const, url: front, startPath: '/docs/', exclude: [], maxDepth: null }
  const admission = createAdmission({ ...rules, include: ['/shop/**'] })
  for (const url of [deeper, front]) {
    expect(admission.exclusionOf({ url, depth: 0 })).toBeNull()
    expect(admission.isLinksOnly(url)).toBe(true)
  }
  expect(admission.exclusionOf({ url: `${deeper}a`, depth: 1 })).toBe('excluded')
  expect(createAdmission({ ...rules, include: ['/docs/**'] }).isLinksOnly(deeper)).toBe(false)
})
