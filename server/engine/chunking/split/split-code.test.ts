import { expect, it } from 'vitest'
import type { Tokenizer } from '../../ports/search-index'
import { splitCode } from './split-code'

const tokenizer: Tokenizer = { count: (text) => text.split(/\s+/).filter((word) => word !== '').length }
const split = (code: string, limit: number) => splitCode(code, limit, tokenizer, 'en').map(({ text }) => text)

const python = Array.from(
  { length: 6 },
  (_, index) =>
    `def light_${index}(lamp):\n    lamp.open()\n    lamp.set(\n        wick=${index},\n        oil=1,\n    )\n\n    return lamp\n`,
).join('\n')

it('ends parts between functions rather than within them', () => {
  for (let limit = 16; limit < 40; limit++)
    for (const part of split(python, limit)) expect(part.startsWith('def light_')).toBe(true)
})

it('does not end within brackets if a statement fits', () => {
  for (let limit = 6; limit < 16; limit++)
    for (const part of split(python, limit)) expect(part).not.toMatch(/^\s+(?:wick|oil|\))/)
})

it('keeps statements of a Python prompt, and other shapes, together', () => {
  const prompt = '>>> for lamp in lamps:\n...     lamp.light()\n...\nlit\n>>> print(lamps)\n[1, 2]\n'.repeat(5)
  for (const part of split(prompt, 12)) expect(part).toMatch(/^(?:>>>|lit|\[)/)
  const json = `{\n${Array.from({ length: 8 }, (_, index) => `  "lamp ${index}": {\n    "oil": ${index}\n  }`).join(',\n')}\n}`
  expect(split(json, 14).join('\n')).toBe(json)
})

it('repeats the lines that an indented part is in', () => {
  const method = (index: number) =>
    `    def light_${index}(self):\n        self.open()\n        return self.oil(${index})\n`
  const code = `class Lamp(Base):\n${Array.from({ length: 20 }, (_, index) => method(index)).join('\n')}`
  const parts = splitCode(code, 20, tokenizer, 'en')
  expect(parts.length).toBeGreaterThan(5)
  for (const { text, tokens, parents } of parts.slice(1)) {
    expect(text).toMatch(/^ {4}def light_/)
    expect(parents.text).toBe('class Lamp(Base):')
    expect(tokens + parents.tokens).toBeLessThanOrEqual(20)
  }
})

it('does not repeat brackets alone', () => {
  const body = Array.from({ length: 20 }, (_, index) => `        light(${index}, oil);`).join('\n')
  const code = `int main(void)\n{\n    for (;;)\n    {\n${body}\n    }\n}`
  for (const { parents } of splitCode(code, 20, tokenizer, 'en').slice(1, -1))
    expect(parents.text).toBe('int main(void)\n    for (;;)')
})

it('loses no letter, and divides a line only if it is too long', () => {
  const long = `x = ${'lamp '.repeat(50)}`
  const code = `${python}\n${long}\n${python}`
  const parts = split(code, 20)
  expect(parts.join('').replace(/\s+/g, '')).toBe(code.replace(/\s+/g, ''))
  for (const part of parts) expect(tokenizer.count(part)).toBeLessThanOrEqual(20)
  const lines = new Set(code.split('\n'))
  for (const part of parts.filter((part) => !part.includes('lamp lamp')))
    for (const line of part.split('\n')) expect(lines.has(line)).toBe(true)
})

it('takes linear time', () => {
  expect(split('  call(((\n'.repeat(40_000), 200).length).toBeGreaterThan(100)
})
