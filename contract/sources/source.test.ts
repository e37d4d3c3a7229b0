import { expect, it } from 'vitest'
import { sourceSchema } from './source'

const domain = (url: string) => sourceSchema.parse({ type: 'domain', url }).url

it.each([
  ['docs.example.com', 'https://docs.example.com'],
  ['example.com/about', 'https://example.com/about'],
  ['example.com:443', 'https://example.com:443'],
  ['http://example.com', 'http://example.com'],
  ['localhost', 'http://localhost'],
  ['127.0.0.1:8399', 'http://127.0.0.1:8399'],
  ['wiki.intranet:8080/start', 'http://wiki.intranet:8080/start'],
])('reads the domain %s as %s', (input, address) => {
  expect(domain(input)).toBe(address)
})

it.each(['exa mple.com', '', '  '])('rejects the domain %j with a hint that a domain is enough', (url) => {
  const wrong = sourceSchema.safeParse({ type: 'domain', url })
  expect(wrong.error?.issues).toMatchObject([
    { message: 'Give the domain of the site, as in example.com.', path: ['url'] },
  ])
})

it.each(['/library/[a-c]*', '/docs/(a|b)/**', '/a{2}', '/^start', '/a\\d+'])('rejects the pattern %s', (pattern) => {
  const wrong = sourceSchema.safeParse({ type: 'domain', url: 'example.com', include: [pattern] })
  expect(wrong.error?.issues[0]?.message).toContain(`"${pattern}" is not a pattern: only *, ** and ? are`)
})

it('accepts patterns with characters that occur in paths', () => {
  const include = ['/wiki/Lamp_(oil)', '/c++/**', '/price$', '/a.b?/*', '/caf%5Be%5D']
  expect(sourceSchema.parse({ type: 'domain', url: 'example.com', include }).include).toEqual(include)
})

it('explains how to write a header', () => {
  const wrong = sourceSchema.safeParse({ type: 'url', url: 'https://example.com', headers: 'nonsense' })
  expect(wrong.error?.issues).toMatchObject([{ message: 'Write "nonsense" as Name: value' }])
})

it('accepts a bare name only for a domain', () => {
  const url = sourceSchema.safeParse({ type: 'url', url: 'docs.example.com' })
  expect(url.error?.issues[0]?.message).toBe('Invalid url provided, you need to input a full address.')
})
