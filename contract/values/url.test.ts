import { expect, it } from 'vitest'
import { parseUrl } from './url'

it('parses addresses with letters beyond ASCII, however often it is called', () => {
  for (let call = 0; call < 20_000; call++) expect(parseUrl('https://bücher.example/')).not.toBeNull()
})

it('resolves a reference against a base', () => {
  expect(parseUrl('/größe', 'https://site.example')?.href).toBe('https://site.example/gr%C3%B6%C3%9Fe')
  expect(parseUrl('größe', new URL('https://site.example/a/'))?.pathname).toBe('/a/gr%C3%B6%C3%9Fe')
})

it('returns null for text that is no address', () => {
  for (const text of ['', 'größe', 'https://', 'http://a b/']) expect(parseUrl(text)).toBeNull()
})
