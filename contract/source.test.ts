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
])('reads the domain %s as %s', (given, address) => {
  expect(domain(given)).toBe(address)
})

it('takes a bare name for a domain only', () => {
  const url = sourceSchema.safeParse({ type: 'url', url: 'docs.example.com' })
  expect(url.error?.issues[0]?.message).toBe('Invalid url provided, you need to input a full address.')
})
