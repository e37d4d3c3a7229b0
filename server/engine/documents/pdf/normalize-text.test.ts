import { expect, test } from 'vitest'
import { cleanLine, joinLines } from './normalize-text'

test.each([
  ['e\ufb03cient \ufb02ow', 'efficient flow'],
  ['\uf732\uf730\uf732\uf734', '2024'],
  ['sun\u00adrise on SS\u00ad25', 'sunrise on SS-25'],
  ['Trv\u00e1te\u00adli na tom, sun\u00adlit', 'Trv\u00e1te-li na tom, sunlit'],
  ['la\u200bmp\0s', 'lamps'],
  ['a\u0003b \ue001 c', 'a b c'],
  ['Lamps . . . . . . . . 12', 'Lamps 12'],
  ['cafe \u0301', 'cafe\u0301'],
  ['দব্ ীন িশিখ', 'দব্ীন িশিখ'],
  ['  two   spaces ', 'two spaces'],
])('normalizes %j to %j', (raw, clean) => expect(cleanLine(raw)).toBe(clean))

test.each([
  ['a sleep-', 'ing lamp', 'a sleeping lamp'],
  ['a sleep\u2010', 'ing lamp', 'a sleeping lamp'],
  ['state-of-the-', 'art lamps', 'state-of-the-art lamps'],
  ['the Lamp-', 'House of', 'the Lamp-House of'],
  ['Trváte-', 'li na tom', 'Trváte-li na tom'],
  ['nechte ji zhas-', 'línat', 'nechte ji zhaslínat'],
  ['« Oui », dit-', 'elle.', '« Oui », dit-elle.'],
  ['by e-', 'mail', 'by e-mail'],
  ['a 40-', 'watt lamp', 'a 40-watt lamp'],
  ['2019-', '2020', '2019-2020'],
  ['from 12 -', 'and so on', 'from 12 - and so on'],
  ['one', 'two', 'one two'],
  ['東京', '都', '東京都'],
])('joins %j and %j', (text, line, joined) => expect(joinLines(text, line)).toBe(joined))

test('cleans and joins long lines of one character in linear time', () => {
  const count = 300_000
  expect(joinLines('-'.repeat(count), 'lamp')).toHaveLength(count + ' lamp'.length)
  expect(cleanLine('. '.repeat(count))).toBe('')
  expect(cleanLine('\u00ad'.repeat(count))).toHaveLength(count)
})
