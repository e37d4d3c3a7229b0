import { describe, expect, it } from 'vitest'
import { domainAddress, isSameSite, normalizeAddress, refusalOfLink, refusalOfShape } from './urls'

describe('normalizeAddress', () => {
  it.each([
    ['HTTP://Site.Example:80/a/../b#part', 'http://site.example/b'],
    ['https://site.example', 'https://site.example/'],
    ['https://site.example:443/?', 'https://site.example/'],
    ['https://site.example./a', 'https://site.example/a'],
    ['https://site.example/?utm_source=x&b=2&gclid=1&a=1', 'https://site.example/?b=2&a=1'],
    ['https://site.example/?fbclid=1', 'https://site.example/'],
    ['https://site.example/?q=a%20b&c=~d', 'https://site.example/?q=a%20b&c=~d'],
    ['https://bücher.example/ä b', 'https://xn--bcher-kva.example/%C3%A4%20b'],
    ['  https://site.example/x ', 'https://site.example/x'],
  ])('writes %s as %s', (address, expected) => expect(normalizeAddress(address)).toBe(expected))

  it.each(['', 'no address', 'mailto:a@b.example', 'ftp://a.example/', 'https://u:p@a.example/', 'javascript:void(0)'])(
    'refuses %s',
    (address) => {
      expect(normalizeAddress(address)).toBeNull()
    },
  )

  it('gives one form only', () => {
    for (const address of [
      'https://site.example/a?utm_id=1&x=%2F+',
      'https://site.example/?b=%zz',
      'http://[::1]:8080/a?b#c',
    ]) {
      const once = normalizeAddress(address)
      expect(normalizeAddress(once ?? '')).toBe(once)
    }
  })
})

describe('sites', () => {
  it('takes www for the bare host, and nothing else', () => {
    expect(isSameSite('https://www.site.example/a', 'http://site.example/')).toBe(true)
    expect(isSameSite('https://docs.site.example/', 'https://site.example/')).toBe(false)
    expect(isSameSite('http://127.0.0.1:81/', 'http://127.0.0.1:82/')).toBe(false)
  })

  it('trims a domain to its front page', () => {
    expect(domainAddress('https://docs.site.example/a/b?c#d')).toBe('https://docs.site.example/')
    expect(domainAddress(' docs.site.example/a ')).toBe('https://docs.site.example/')
    expect(domainAddress('http://127.0.0.1:8080/x')).toBe('http://127.0.0.1:8080/')
    expect(domainAddress('two words')).toBeNull()
  })
})

describe('links', () => {
  const site = 'https://site.example/'
  it.each([
    ['https://site.example/page', null],
    ['https://www.site.example/page.html?x=1', null],
    ['https://other.example/', 'other-host'],
    ['https://site.example/a/photo.JPG', 'not-html'],
    ['https://site.example/feed.xml', 'not-html'],
    [`https://site.example/${'a/'.repeat(3)}`, null],
    [`https://site.example/${'a/'.repeat(4)}`, 'trap'],
    [`https://site.example/${Array.from({ length: 21 }, (_, index) => index).join('/')}`, 'too-deep'],
    [`https://site.example/?${'x'.repeat(2048)}`, 'too-deep'],
    ['https://site.example/?f=1&f=2&f=3&f=4', 'trap'],
  ])('judges %s: %s', (link, reason) => expect(refusalOfLink(link, site)).toBe(reason))

  it('counts exactly twenty segments as deep enough', () => {
    expect(refusalOfShape(`${site}${Array.from({ length: 20 }, (_, index) => index).join('/')}`)).toBeNull()
  })
})
