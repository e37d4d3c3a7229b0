import { expect, it } from 'vitest'
import { nameSchema } from './text'

const name = nameSchema(100)

it.each([
  ['a zero-width space', '\u200b'],
  ['the filler of Hangul', '\u3164'],
  ['fillers of Hangul letters', '\u115f\u1160\uffa0'],
  ['the empty Braille pattern', '\u2800'],
  ['a combining mark', '\u0301'],
  ['a variation selector', '\ufe0f'],
  ['a soft hyphen', '\u00ad'],
])('a name that consists of %s is empty', (_what, text) => {
  expect(name.safeParse(text).error?.issues[0]?.message).toBe('Name needs at least one visible character')
})

it.each(['한국어', 'Ωmega', '⠃⠗', '❤️', 'é', '-'])('%s is a name', (text) => {
  expect(name.parse(text)).toBe(text)
})
