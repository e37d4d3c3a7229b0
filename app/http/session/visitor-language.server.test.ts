import { expect, it } from 'vitest'
import { visitorLanguage } from './visitor-language.server'

it.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.4, pl ;q=0.7', 'pl'],
  ['PT-br', 'pt'],
  ['*', null],
  ['fr;q=0', null],
  ['fr;q=many', null],
  ['', null],
  ['1-2,;;q=,x', null],
])('detects %s as %s', (header, language) => {
  expect(visitorLanguage(new Request('http://127.0.0.1/', { headers: { 'accept-language': header } }))).toBe(language)
})
