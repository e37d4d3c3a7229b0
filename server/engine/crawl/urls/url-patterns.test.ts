import { describe, expect, it } from 'vitest'
import { createPathPatterns } from './url-patterns'

const site = 'https://site.example'
const matches = (pattern: string, path: string) => createPathPatterns({ include: [pattern] }).admits(site + path)

describe('createPathPatterns', () => {
  it.each([
    ['/docs', '/docs', true],
    ['/docs', '/docs/', true],
    ['/docs', '/docs/a/b', true],
    ['/docs', '/docs?page=2', true],
    ['/docs', '/docsearch', false],
    ['/docs', '/Docs', false],
    ['/docs', '/en/docs', false],
    ['/docs/', '/docs', false],
    ['/', '/anything', true],
    ['/docs/**', '/docs/a/b', true],
    ['/docs/**', '/docs', true],
    ['/docs/**', '/docsearch', false],
    ['/docs/*', '/docs/a', true],
    ['/docs/*', '/docs/', true],
    ['/docs/*', '/docs/a/b', false],
    ['/docs/*/api', '/docs/v2/api', true],
    ['/docs/*/api', '/docs/v2/x/api', false],
    ['/a/**/b', '/a/b', true],
    ['/a/**/b', '/a/x/y/b', true],
    ['/a/**/b', '/a/xb', false],
    ['/a**b', '/a/x/b', true],
    ['/page-?', '/page-1', true],
    ['/page-?', '/page-', false],
    ['/page-?', '/page-12', false],
    ['/page-?', '/page-/', false],
    ['*.pdf', '/a/b.pdf', true],
    ['*.pdf', '/a/b.pdf.html', false],
    ['**/print', '/a/print?x=1', true],
    ['/list?sort=**', '/list?sort=up&to=/a', true],
    ['/list?sort=**', '/list', false],
    ['/a.b', '/axb', false],
    ['/[a-z]+(x)$', '/[a-z]+(x)$', true],
    ['/ä*', '/%c3%a4b', true],
    ['/%7Ejoe', '/~joe/x', true],
    ['/a%2fb', '/a/b', false],
    ['***', '/any/thing', true],
  ])('%s on %s: %s', (pattern, path, expected) => expect(matches(pattern, path)).toBe(expected))

  it('gives exclude precedence, and includes all for an empty list', () => {
    expect(createPathPatterns({}).admits(`${site}/a`)).toBe(true)
    expect(createPathPatterns({ include: [], exclude: ['/private'] }).admits(`${site}/a`)).toBe(true)
    const both = createPathPatterns({ include: ['/docs', '/blog'], exclude: ['**/draft-*'] })
    const paths = ['/docs/a', '/blog/b', '/about', '/blog/draft-1']
    expect(paths.map((path) => both.admits(site + path))).toEqual([true, true, false, false])
  })

  it('agrees with exhaustive backtracking', () => {
    let seed = 7
    const random = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * limit)
    }
    const word = (signs: string[], length: number) => Array.from({ length }, () => signs[random(signs.length)]).join('')
    let hits = 0
    for (let round = 0; round < 5_000; round++) {
      const pattern = `/${word(['a', 'b', '/', '*', '**', '?'], 1 + random(40))}`
      const path = `/${word(['a', 'b', '/'], random(12))}`
      if (!/[*?]/.test(pattern)) continue
      const expected = new RegExp(`^${oracleOf(pattern)}$`).test(path)
      hits += Number(expected)
      expect(matches(pattern, path), `${pattern} on ${path}`).toBe(expected)
    }
    expect(hits).toBeGreaterThan(100)
  })

  it.each([[`${'*a'.repeat(127)}*b`], ['/**/a'.repeat(51)], ['**a'.repeat(85)], [`/${'?*'.repeat(127)}`]])(
    'does not try all meanings of the hostile %s, which would never end',
    (pattern) => {
      const patterns = createPathPatterns({ include: Array.from({ length: 50 }, () => pattern) })
      expect(patterns.admits(`${site}/${'a'.repeat(2_000)}/c`)).toBe(false)
    },
  )
})

/** The same meaning as an expression, with a few stars only: it may go back and forth. */
function oracleOf(pattern: string): string {
  const source = pattern
    .replace(/\*{2,}/g, '**')
    .replace(/(?<=\/)\*\*\/|\/\*\*$|\*\*|\*|\?/g, (glob, index: number) => {
      if (glob === '/**') return index === 0 ? '/.*' : '(?:/.*)?'
      return { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' }[glob] ?? '[^/]'
    })
  return source
}
