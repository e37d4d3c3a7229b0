import { expect, test } from 'vitest'
import { foldText, isUnsegmented, normalizeUnicode } from './normalize-text'

// A letter that needs folding makes the whole text take the long way.
const folded = 'ö'

test('texts with the signs of English are what they would be beside letters that need folding', () => {
  for (let code = 0; code <= 0xffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const text = `A ${String.fromCodePoint(code)} b`
    expect([code, foldText(text)]).toEqual([code, foldText(`${folded}.${text}`).slice(2)])
    expect([code, normalizeUnicode(text)]).toEqual([code, normalizeUnicode(`${folded}.${text}`).slice(2)])
  }
})

test.each([
  ['Plain text — “quoted”, with a • and ½', false],
  ['größer', false],
  ['密码', true],
  ['ab密', true],
  ['ไทย', true],
  ['한국어', true],
  ['𠮷', true],
])('%s is read by its characters: %s', (text, isRead) => {
  expect(isUnsegmented(text)).toBe(isRead)
})
