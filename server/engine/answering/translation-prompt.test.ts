import { describe, expect, it } from 'vitest'
import { queryOf, translationPrompt } from './translation-prompt'

describe('translationPrompt', () => {
  it('names the language, and has the question after the last messages', () => {
    const history = Array.from({ length: 6 }, (_, n) => ({
      role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `message ${n} ${'x'.repeat(600)}`,
    }))
    const [system, user] = translationPrompt('Y en invierno?', history, 'German')
    expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('one query in German') })
    const lines = user?.content.split('\n') ?? []
    expect(lines.map((line) => line.slice(0, 20))).toEqual([
      'Visitor: message 2 x',
      'Assistant: message 3',
      'Visitor: message 4 x',
      'Assistant: message 5',
      'Visitor: Y en invier',
    ])
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(520)
  })
})

describe('queryOf', () => {
  it.each([
    ['Lampe im Winter', 'Lampe im Winter'],
    ['\n "Lampe im Winter" \nHere is why', 'Lampe im Winter'],
    ['„Lampe“', 'Lampe'],
    ['  \n ', null],
    ['""', null],
    ['x'.repeat(900), 'x'.repeat(300)],
  ])('of %j is %j', (reply, query) => {
    expect(queryOf(reply)).toBe(query)
  })
})
