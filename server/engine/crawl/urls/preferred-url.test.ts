import { expect, it } from 'vitest'
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
  expect(isPreferred(first, second)).toBe(true)
  expect(isPreferred(second, first)).toBe(false)
})

it('does not prefer a URL to itself', () => {
  expect(isPreferred('https://site.example/', 'https://site.example/')).toBe(false)
})
