import { describe, expect, it } from 'vitest'
import { createCookies } from './cookies'

const url = 'https://www.site.example/docs/page'

describe('cookies', () => {
  it('go back to their host and path', () => {
    const cookies = createCookies()
    cookies.keep(url, ['a=1; Path=/', 'b=2; Path=/docs', 'c=3; Path=/other', 'd=4; Secure'])
    expect(cookies.headerFor(url)).toBe('b=2; d=4; a=1')
    expect(cookies.headerFor('https://www.site.example/')).toBe('a=1')
    expect(cookies.headerFor('http://www.site.example/docs/page')).toBe('b=2; a=1')
    expect(cookies.headerFor('https://site.example/')).toBe('')
    expect(createCookies().headerFor(url)).toBe('')
  })

  it.each([
    ['of another host', 'a=1; Domain=other.example'],
    ['of a public suffix', 'a=1; Domain=example'],
    ['without a name', '=;;'],
    ['that is over', 'a=1; Max-Age=0'],
    ['with a line end', 'a=1\r\nHost: evil.example'],
    ['that is long', `a=${'x'.repeat(5000)}`],
    ['that is no header', `a=\u2028\ud83d`],
  ])('are not kept %s', (_, cookie) => {
    const cookies = createCookies()
    cookies.keep(url, [cookie])
    expect(cookies.headerFor(url)).not.toMatch(/[\r\n]|evil|x{100}|[^\x20-\x7e]/)
    if (!cookie.includes('\r')) expect(cookies.headerFor(url)).toBe('')
  })

  it('are at most fifty of a host, of twenty hosts', () => {
    const cookies = createCookies()
    for (let number = 0; number < 200; number++) cookies.keep(url, [`c${number}=1`])
    expect(cookies.headerFor(url).split('; ')).toHaveLength(50)
    cookies.keep(url, ['c7=2'])
    expect(cookies.headerFor(url)).toContain('c7=2')
    for (let number = 0; number < 30; number++) cookies.keep(`https://h${number}.example/`, ['a=1'])
    expect(cookies.headerFor(url)).toBe('')
  })
})
