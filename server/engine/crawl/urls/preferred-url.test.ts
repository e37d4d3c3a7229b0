import { describe, expect, it } from 'vitest'
import { isPreferred } from './preferred-url'

it.each([
  ['https://site.example/lamps', 'http://site.example/'],
  ['https://site.example/lamps/storm-40', 'https://site.example/s?id=40'],
  ['https://site.example/', 'https://site.example/index.html'],
  ['https://site.example/lamps', 'https://site.example/lamps/'],
  ['https://site.example/lamps', 'https://www.site.example/lamps'],
  ['https://site.example/b', 'https://site.example/aa'],
  ['https://site.example/a', 'https://site.example/b'],
  [`https://site.example/${'b'.repeat(500)}`, `https://site.example/${'a'.repeat(1500)}`],
])('prefers %s to %s', (first, second) => {
  const [item, another] = [first, second].map((url) => ({ url, language: 'en' }))
  if (!item || !another) throw new Error('There are two.')
  for (const main of ['', 'en', 'de']) {
    expect(isPreferred(item, another, main)).toBe(true)
    expect(isPreferred(another, item, main)).toBe(false)
  }
})

it('does not prefer a URL to itself', () => {
  const page = { url: 'https://site.example/', language: 'en' }
  expect(isPreferred(page, page, 'en')).toBe(false)
})

describe('the main language of the site', () => {
  const page = (path: string, language = '') => ({ url: `https://site.example${path}`, language })

  it.each([
    [page('/en/wick'), page('/de/wick')],
    [page('/reference/wick', 'en'), page('/de/wick', 'de')],
    [page('/reference/wick'), page('/de/wick', 'en')],
    [page('/wick?lang=en'), page('/de/wick')],
    [page('/wick-and-burner', 'en-gb'), page('/docht', 'de')],
  ])('wins: %j before %j', (first, second) => {
    expect(isPreferred(first, second, 'en')).toBe(true)
    expect(isPreferred(second, first, 'en')).toBe(false)
  })

  it('comes after https, and decides nothing where it is unknown', () => {
    const plain = { url: 'http://site.example/en/wick', language: 'en' }
    expect(isPreferred(page('/de/wick'), plain, 'en')).toBe(true)
    expect(isPreferred(page('/de/wick'), page('/en/wick'), '')).toBe(true)
    expect(isPreferred(page('/de/wick'), page('/en/wick'), 'fr')).toBe(true)
  })
})
