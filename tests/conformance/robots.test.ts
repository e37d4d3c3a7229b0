import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeRobots, parseRobots } from '../../server/engine/crawl/formats/robots'
import { otherExpectations, pathExpectations } from './robots-expectations'
import { readSet, setFolder } from './sets'

const site = 'http://site.example'

interface GoogleCase {
  test: string
  user_agent: string
  url: string
  allowed: boolean
  robots_txt?: string
  robots_txt_base64?: string
}

const google = setFolder('crawler/google-robotstxt')

describe.skipIf(google === null)('the cases of google/robotstxt', () => {
  it('agree, all 140', () => {
    const cases = JSON.parse(readSet(google, 'cases.json').toString()) as GoogleCase[]
    const differing = cases.filter(({ robots_txt, robots_txt_base64 = '', user_agent, url, allowed }) => {
      const body = robots_txt === undefined ? Buffer.from(robots_txt_base64, 'base64') : Buffer.from(robots_txt)
      return parseRobots(decodeRobots(body), user_agent, `${site}/robots.txt`).isAllowed(url) !== allowed
    })
    expect(cases).toHaveLength(140)
    expect(differing).toEqual([])
  })
})

const commons = setFolder('crawler/crawler-commons/robots')

describe.skipIf(commons === null)('the files of crawler-commons', () => {
  const rulesOf = (file: string, agent: string) =>
    parseRobots(decodeRobots(readSet(commons, file)), agent, `${site}/robots.txt`)

  it('are all here', () => expect(Object.keys(pathExpectations)).toEqual(readdirSync(commons ?? '.').sort()))

  it.each(Object.entries(pathExpectations))('say what they mean: %s', (file, paths) => {
    const read = paths.map(([agent, path]) => [agent, path, rulesOf(file, agent).isAllowed(site + path)])
    expect(read).toEqual(paths)
    const { agent = 'any', delay = null, sitemaps = [] } = otherExpectations[file] ?? {}
    expect(rulesOf(file, agent)).toMatchObject({ crawlDelayMs: delay, sitemaps })
  })

  it('give a delay to those whom it names alone', () => {
    expect(rulesOf('crawl-delay-group-merging.txt', 'yourbot').crawlDelayMs).toBeNull()
    expect(rulesOf('crawl-delay-group-merging.txt', 'any').crawlDelayMs).toBe(30_000)
  })
})

const protego = setFolder('crawler/protego-robots-corpus/robots')

describe.skipIf(protego === null)('536 real files', () => {
  it('are read without a throw, and web pages give no rules', () => {
    const files = readdirSync(protego ?? '.')
    let pages = 0
    for (const file of files) {
      const text = decodeRobots(readSet(protego, file))
      const rules = parseRobots(text, 'Sitelore', `${site}/robots.txt`)
      const open = ['/', '/a/b.html?c=d', '/search?q=x', '/wp-admin/'].map((path) => rules.isAllowed(site + path))
      if (!/^[\s\ufeff]*</.test(text)) continue
      pages++
      expect({ file, open, sitemaps: rules.sitemaps, delay: rules.crawlDelayMs }).toEqual({
        file,
        open: [true, true, true, true],
        sitemaps: [],
        delay: null,
      })
    }
    expect(files).toHaveLength(536)
    expect(pages).toBeGreaterThan(20)
  })
})

describe('statements about the standard', () => {
  it.each([
    ['news-reader', '/for-news'],
    ['news-reader2', '/for-all'],
    ['news', '/for-all'],
    ['reader', '/for-reader'],
    ['reader-images', '/for-all'],
    ['unknown', '/for-all'],
  ])('the group of exactly %s counts, wherever it stands', (agent, open) => {
    const group = (name: string, path: string) => `user-agent: ${name}\ndisallow: /\nallow: ${path}\n`
    const text = group('news-reader', '/for-news') + group('*', '/for-all') + group('reader', '/for-reader')
    const rules = parseRobots(text, agent, `${site}/robots.txt`)
    expect(['/for-news', '/for-all', '/for-reader'].filter((path) => rules.isAllowed(site + path))).toEqual([open])
  })

  const inside = {
    '/': ['/', '/a', '/a/b', '/a.html'],
    '/*': ['/', '/a', '/a/b', '/a.html'],
    '/tea': ['/tea', '/tea.html', '/tea/green.html', '/teapots', '/teapots/red.html', '/tea.php?id=any'],
    '/tea*': ['/tea', '/tea.html', '/tea/green.html', '/teapots', '/teapots/red.html', '/tea.php?id=any'],
    '/tea/': ['/tea/', '/tea/?id=any', '/tea/green.htm'],
    '/*.php': ['/a.php', '/b/a.php', '/b/a.php?c', '/b/a.php.html', '/a.php/', '/index?f=a.php/'],
    '/*.php$': ['/a.php', '/b/a.php'],
    '/tea*.php': ['/tea.php', '/teapots/red.php?c'],
  }
  const outside = {
    '/tea': ['/Tea.asp', '/green-tea', '/?id=tea'],
    '/tea*': ['/Tea.asp', '/green-tea', '/?id=tea'],
    '/tea/': ['/tea', '/tea.html', '/Tea/Green.asp'],
    '/*.php': ['/', '/a.PHP', '/index?php'],
    '/*.php$': ['/a.php?b', '/a.php/', '/a.php5', '/a.PHP', '/a?php'],
    '/tea*.php': ['/Tea.PHP'],
  }
  const asRows = (table: Record<string, string[]>, isDisallowed: boolean) =>
    Object.entries(table).flatMap(([pattern, paths]) => paths.map((path) => ({ pattern, path, isDisallowed })))
  it.each([...asRows(inside, true), ...asRows(outside, false)])(
    'the pattern $pattern covers $path: $isInside',
    ({ pattern, path, isDisallowed }) => {
      const rules = parseRobots(`User-Agent: *\ndisallow: ${pattern}`, 'any', `${site}/robots.txt`)
      expect(rules.isAllowed(site + path)).toBe(!isDisallowed)
    },
  )
})
