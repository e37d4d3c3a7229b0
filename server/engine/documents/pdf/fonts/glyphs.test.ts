import { expect, test } from 'vitest'
import { dingbatOf, textOfGlyph } from './glyphs'

test.each([
  ['A', 'A'],
  ['one.oldstyle', '1'],
  ['eight.os', '8'],
  ['a.sc', 'a'],
  ['T_h', 'Th'],
  ['f_f_i.liga', 'ffi'],
  ['odieresis.sc', 'ö'],
  ['Scaron.alt', 'Š'],
  ['germandbls.sc', 'ß'],
  ['parenleft.case', '('],
  ['uni00E9.sc', 'é'],
  ['u1F600.alt', '😀'],
  ['g31', null],
  ['.notdef', ''],
  ['uniD800', null],
  ['u110000', null],
  ['constructor', null],
  ['A_', null],
])('maps the glyph %s to %s', (name, text) => expect(textOfGlyph(name)).toBe(text))

test.each([
  [0x21, '✁'],
  [0x34, '✔'],
  [0x6c, '●'],
  [0x7e, '❞'],
  [0xa1, '❡'],
  [0xac, '①'],
  [0xb6, '❶'],
  [0xd5, '→'],
  [0xfe, '➾'],
  [0x20, ''],
  [0xf0, ''],
])('maps the code %i of ZapfDingbats to %s', (code, symbol) => expect(dingbatOf(code)).toBe(symbol))
