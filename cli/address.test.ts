import { describe, expect, it } from 'vitest'
import { guessType, isSameAddress, readAddress } from './address'

describe('readAddress', () => {
  it.each([
    ['https://example.com', 'domain', 'https://example.com'],
    ['example.com', 'domain', 'https://example.com'],
    ['https://example.com/', 'domain', 'https://example.com/'],
    ['example.com/about', 'url', 'https://example.com/about'],
    ['127.0.0.1:8080', 'domain', 'http://127.0.0.1:8080'],
    ['localhost:3000/docs', 'url', 'http://localhost:3000/docs'],
    ['https://example.com/?page=2', 'url', 'https://example.com/?page=2'],
    ['https://example.com/sitemap.xml', 'sitemap', 'https://example.com/sitemap.xml'],
    ['https://example.com/sitemap_index.xml.gz', 'sitemap', 'https://example.com/sitemap_index.xml.gz'],
    ['https://example.com/feeds/all.XML', 'sitemap', 'https://example.com/feeds/all.XML'],
    ['https://example.com/sitemap?part=1', 'sitemap', 'https://example.com/sitemap?part=1'],
  ])('%s is a %s', (address, type, url) => {
    expect(readAddress(address, undefined)).toMatchObject({ type, url })
  })

  it('believes the type that is named', () => {
    expect(readAddress('https://example.com/', 'url').type).toBe('url')
    expect(guessType('https://sitemap.example.com/about')).toBe('url')
  })

  it.each(['', 'ftp://example.com/', 'https://ada:secret@example.com/', 'two words'])('refuses %j', (address) => {
    expect(() => readAddress(address, undefined)).toThrow(expect.objectContaining({ exitCode: 2 }))
  })
})

describe('isSameAddress', () => {
  it('sees through ways of writing', () => {
    expect(isSameAddress('https://example.com', 'https://EXAMPLE.com:443/#top')).toBe(true)
    expect(isSameAddress('https://example.com/a', 'https://example.com/b')).toBe(false)
    expect(isSameAddress('https://example.com/a', 'http://example.com/a')).toBe(false)
  })
})
