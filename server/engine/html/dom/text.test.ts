import { expect, it } from 'vitest'
import { extractPage } from '../extract-page'
import { cleanText, removeInvisible } from './text'

it('removes control characters, but no white space', () => {
  expect(removeInvisible('a\u001b[31mb\u0000\u0007\u007f\u009bc\td\ne\r\nf')).toBe('a[31mbc\td\ne\r\nf')
  expect(cleanText('one\f\u001btwo\u0008\r\nthree\u{e0041}\u200b')).toBe('one two three')
})

it('leaves no control characters in a page', () => {
  const dangerous = 'Red\u001b[31m \u0007text\r\u000b\u000cend &#27;[2J&#13;'
  const html = `<title>${dangerous}</title><main><h1>${dangerous}</h1><p>${dangerous}</p><pre>${dangerous}a\r\nb\rc</pre><ul><li>${dangerous}</li></ul><table><tr><th>${dangerous}</th><td>${dangerous}</td></tr></table></main>`
  const { title, blocks } = extractPage(html, 'https://site.example/')
  expect(blocks.length).toBe(5)
  expect([title, ...blocks.map(({ text }) => text)].join('\n')).not.toMatch(/[^\P{Cc}\n\t]/u)
})
