import { describe, expect, it } from 'vitest'
import { decodeRobots, parseRobots } from './robots'

const base = 'https://site.example/robots.txt'
const rules = (text: string) => parseRobots(text, 'Sitelore', base)
const allowed = (text: string, path: string) => rules(text).isAllowed(`https://site.example${path}`)

describe('parseRobots', () => {
  it('allows everything without rules', () => {
    for (const text of [
      '',
      '# nothing',
      'User-agent: *',
      'User-agent: *\nDisallow:',
      'Disallow: /',
      '<html>404</html>',
      '\n<!DOCTYPE html>\nUser-agent: *\nDisallow: /',
    ]) {
      expect(allowed(text, '/a'), text).toBe(true)
    }
  })

  it.each([
    ['Disallow: /private', '/private/x', false],
    ['Disallow: /private', '/privately', false],
    ['Disallow: /private', '/public', true],
    ['Disallow: /\nAllow: /open/', '/open/a', true],
    ['Allow: /open/\nDisallow: /', '/closed', false],
    ['Allow: /page\nDisallow: /*.htm', '/page.htm', false],
    ['Allow: /folder\nDisallow: /folder', '/folder/page', true],
    ['Allow: /$\nDisallow: /', '/', true],
    ['Allow: /$\nDisallow: /', '/page.htm', false],
    ['Disallow: /*.php$', '/a/b.php', false],
    ['Disallow: /*.php$', '/a/b.php?x', true],
    ['Disallow: /*.php$', '/b.php.php', false],
    ['Disallow: /fish*.php', '/fishheads/cat.php?p', false],
    ['Disallow: /fish*.php', '/Fish.PHP', true],
    ['Disallow: /a*b*c', '/a-c-b', true],
    ['Disallow: /*?', '/x?y', false],
    ['Disallow: /*?', '/x', true],
    ['Disallow: *', '/x', false],
    ['Disallow: /a%3cd', '/a%3Cd', false],
    ['Disallow: /ä', '/%c3%a4', false],
    ['Disallow: /%C3%A4', '/ä', false],
    ['Disallow: /%7Ejoe', '/~joe', false],
    ['Disallow: /a%2fb', '/a/b', true],
    ['Disallow: /', '/robots.txt', true],
    ['disallow : /x # why', '/x', false],
    ['Dissallow: /x', '/x', false],
    ['Disallow /x', '/x', false],
    ['Disallow /x y', '/x', true],
    ['Disallow: /{id}', '/%7Bid%7D', false],
    ["Disallow: /?it's", '/?it%27s', false],
    ['Disallow: /%62az', '/baz', false],
    ['Disallow: /\nAllow: /%7Ejoe/', '/~joe/', true],
    ['Disallow: /\nAllow: /ä', '/%c3%a4', true],
    ['Disallow: /\nAllow: /a/index.html', '/a/', true],
    ['Disallow: /\nAllow: /a/index.html', '/a/b', false],
    ['Disallow: /a\ud800', '/a%EF%BF%BD', false],
  ])('%s on %s: %s', (lines, path, expected) => expect(allowed(`User-agent: *\n${lines}`, path)).toBe(expected))

  it('merges its own groups, and falls back to the general one', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: SiteLore/2.0\nDisallow: /a\n\nuser-agent: sitelore\nDisallow: /b\r\nUser-agent: last\nDisallow: /c'
    expect(['/a', '/b', '/c', '/d'].map((path) => allowed(text, path))).toEqual([false, false, true, true])
    expect(allowed('User-agent: sitelorebot\nDisallow: /', '/')).toBe(true)
  })

  it('reads delays up to 30 s, and sitemaps outside of groups', () => {
    const text =
      '\ufeffUser-agent: a\nSitemap: /one.xml\nUser-agent: *\nCrawl-delay: 2.5\nSitemap: https://site.example/two.xml\nSitemap: /one.xml'
    expect(rules(text)).toMatchObject({
      crawlDelayMs: 2500,
      sitemaps: ['https://site.example/one.xml', 'https://site.example/two.xml'],
    })
    expect(rules('User-agent: *\nCrawl-delay: 900').crawlDelayMs).toBe(30_000)
    expect(rules('User-agent: *\nCrawl-delay: soon').crawlDelayMs).toBeNull()
  })

  it('applies a delay to the agents before it without ending the group', () => {
    const text = 'User-agent: Sitelore\nCrawl-delay: 3\nUser-agent: other\nDisallow: /a'
    expect(rules(text).crawlDelayMs).toBe(3000)
    expect(allowed(text, '/a')).toBe(false)
    expect(parseRobots(text, 'other', base).crawlDelayMs).toBeNull()
  })

  it('reads UTF-16 with a byte order mark', () => {
    const text = '\ufeffUser-agent: *\nDisallow: /ä'
    const little = Buffer.from(text, 'utf16le')
    for (const body of [Buffer.from(text), little, Buffer.from(little).swap16()]) {
      expect(allowed(decodeRobots(body), '/%C3%A4')).toBe(false)
    }
  })

  it('matches hostile patterns without backtracking', () => {
    expect(allowed(`User-agent: *\nDisallow: /${'*a'.repeat(200)}$`, `/${'a'.repeat(1900)}b`)).toBe(true)
  })

  it('keeps the agents of a group once, however many delays follow', () => {
    const text = `${'User-agent: a\nCrawl-delay: 1\n'.repeat(100_000)}User-agent: Sitelore\nCrawl-delay: 2`
    expect(rules(text).crawlDelayMs).toBe(2_000)
  })
})
