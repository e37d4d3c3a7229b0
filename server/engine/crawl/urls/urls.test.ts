import { describe, expect, it } from 'vitest'
import { domainRoot, isSameSite, linkExclusion, normalizeAddress, shapeExclusion } from './urls'

describe('normalizeAddress', () => {
  it.each([
    ['HTTP://Site.Example:80/a/../b#part', 'http://site.example/b'],
    ['https://site.example', 'https://site.example/'],
    ['https://site.example:443/?', 'https://site.example/'],
    ['https://site.example./a', 'https://site.example/a'],
    ['https://site.example/?utm_source=x&b=2&gclid=1&a=1', 'https://site.example/?a=1&b=2'],
    ['https://site.example/?fbclid=1', 'https://site.example/'],
    ['https://site.example/?b=2&a=2&B=0&a=1&&=3', 'https://site.example/?B=0&a=2&a=1&b=2'],
    ['https://site.example/%7ejoe/%e4%2f%', 'https://site.example/~joe/%E4%2F%25'],
    ['https://site.example/%2%35?%2%35', 'https://site.example/%2525?%2525'],
    ['https://site.example/a[1]|b?c[]=^d', 'https://site.example/a%5B1%5D%7Cb?c%5B%5D=%5Ed'],
    ['https://site.example/a//b/', 'https://site.example/a//b/'],
    ['https://site.example/index.html', 'https://site.example/index.html'],
    ['https://site.example/a;jsessionid=0A1B.node1/b;v=1?x', 'https://site.example/a/b;v=1?x'],
    ['https://site.example/a/..;sid=1/b', 'https://site.example/b'],
    ['https://site.example/(S(lit3py55t21z5v55vlm25s55))/page.aspx', 'https://site.example/page.aspx'],
    ['https://site.example/(X(1)S(abc))/page.aspx', 'https://site.example/page.aspx'],
    ['https://site.example/(Set)/page', 'https://site.example/(Set)/page'],
    ['https://site.example/a.?b..', 'https://site.example/a.?b..'],
    ['http://site.example:443/', 'http://site.example:443/'],
    ['http://127.1:08080/', 'http://127.0.0.1:8080/'],
    ['https://site.example/?q=a%20b&c=~d', 'https://site.example/?c=~d&q=a%20b'],
    ['https://bücher.example/ä b', 'https://xn--bcher-kva.example/%C3%A4%20b'],
    ['  https://site.example/x ', 'https://site.example/x'],
  ])('normalizes %s to %s', (address, expected) => expect(normalizeAddress(address)).toBe(expected))

  it.each([
    'PHPSESSID=4d5',
    'sid=0123456789abcdef0123',
    'session_id=4',
    's=0123456789abcdef0123456789ABCDEF',
    'sort=price',
    'order=desc',
    'orderby=date',
    'sort_by=name',
    'dir=asc',
    'direction=ascending',
    'view=grid',
    'C=N;O=D',
    'C=M&O=A',
    'replytocom=17',
    'UTM_Source=x',
    '_gl=1*abc',
    'gad_source=1',
    'pk_campaign=x',
  ])('removes %s', (query) => {
    expect(normalizeAddress(`https://site.example/list?${query}`)).toBe('https://site.example/list')
    if (!query.startsWith('C=')) {
      expect(normalizeAddress(`https://site.example/list?z=1&${query}&b`)).toBe('https://site.example/list?b&z=1')
    }
  })

  it.each([
    'sid=1042',
    's=shoes',
    'order=1042',
    'dir=docs',
    'view=article',
    'id=1',
    'page=2',
    'lang=de',
    'C=1',
    'ref=a',
  ])('keeps %s, which selects content', (query) => {
    const address = `https://site.example/list?${query}`
    expect(normalizeAddress(address)).toBe(address)
  })

  it('resolves against a base, and rejects long URLs', () => {
    expect(normalizeAddress('../c?b=1&a#d', 'https://site.example/a/b/')).toBe('https://site.example/a/c?a&b=1')
    expect(normalizeAddress(`https://site.example/${'a'.repeat(17_000)}`)).toBeNull()
  })

  it('has the same result with and without parsing', () => {
    const parts = ['a', '.', '..', '%2F', '%2f', '%41', 'b-c', '', '~x', "it's", 'ä', '%', '[1]', 'x.html', '(y)']
    const queries = ['', '?', '?a=%2F', '?b&a', '?q=a b', "?q='", '?x[]=1', '?utm_source=1', '?ü#f', '#f']
    for (const host of ['site.example', '127.0.0.1:8080', 'SITE.example:80', 'site.example:443', '0x7f.1', 'xn--a.b'])
      for (const first of parts)
        for (const second of parts)
          for (const query of queries) {
            const address = `http://${host}/${first}/${second}${query}`
            const whole = normalizeAddress(address)
            // The URL standard removes a tab, so the URL needs to be parsed.
            expect(normalizeAddress(`ht\ttp${address.slice(4)}`), address).toBe(whole)
            expect(whole === null ? null : normalizeAddress(whole), address).toBe(whole)
          }
  })

  it.each(['', 'no address', 'mailto:a@b.example', 'ftp://a.example/', 'https://u:p@a.example/', 'javascript:void(0)'])(
    'refuses %s',
    (address) => {
      expect(normalizeAddress(address)).toBeNull()
    },
  )

  it('is idempotent', () => {
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
  it('treats only www as the same site', () => {
    expect(isSameSite('https://www.site.example/a', 'http://site.example/')).toBe(true)
    expect(isSameSite('https://docs.site.example/', 'https://site.example/')).toBe(false)
    expect(isSameSite('http://127.0.0.1:81/', 'http://127.0.0.1:82/')).toBe(false)
    expect(isSameSite('https://WWW.Site.example:443', 'https://site.example/')).toBe(true)
    expect(isSameSite('http://site.example:443/', 'https://site.example/')).toBe(false)
  })

  it('reduces a domain to its front page', () => {
    expect(domainRoot('https://docs.site.example/a/b?c#d')).toBe('https://docs.site.example/')
    expect(domainRoot(' docs.site.example/a ')).toBe('https://docs.site.example/')
    expect(domainRoot('http://127.0.0.1:8080/x')).toBe('http://127.0.0.1:8080/')
    expect(domainRoot('two words')).toBeNull()
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
  ])('excludes %s: %s', (link, reason) => expect(linkExclusion(link, site)).toBe(reason))

  it('allows exactly twenty segments', () => {
    expect(shapeExclusion(`${site}${Array.from({ length: 20 }, (_, index) => index).join('/')}`)).toBeNull()
  })
})
