import { expect, it } from 'vitest'
import { sourceAddress } from './source-address'

it('names the page that a domain starts with', () => {
  const domain = { url: 'https://site.example/', start_path: null, file_name: null }
  expect(sourceAddress(domain)).toBe('https://site.example/')
  const deeper = { ...domain, start_path: '/docs/17/' }
  expect(sourceAddress(deeper)).toBe('https://site.example/ (starts at /docs/17/)')
  expect(sourceAddress(deeper, (url) => new URL(url).host)).toBe('site.example (starts at /docs/17/)')
  expect(sourceAddress({ url: null, start_path: null, file_name: 'prices.csv' })).toBe('prices.csv')
})
