import { describe, expect, it } from 'vitest'
import { createReasoningFilter } from './reasoning-filter'

function read(parts: Iterable<string>) {
  const filter = createReasoningFilter()
  let answer = ''
  let discards = 0
  for (const part of parts) {
    const { text, discardsEarlier } = filter.push(part)
    if (discardsEarlier) {
      answer = ''
      discards++
    }
    answer += text
  }
  return { answer: answer + filter.flush(true), discards }
}

describe('createReasoningFilter', () => {
  it.each([
    ['Secret, on < and </thing>.\n</think>\n\nWipe it.', '\n\nWipe it.'],
    ['Secret.</thinking>Wipe it.', 'Wipe it.'],
    ['</think>Wipe it.', 'Wipe it.'],
    ['Secret.</think><think>More.</think>Wipe it.', 'Wipe it.'],
  ])('discards what precedes a lone closing tag: %j', (text, answer) => {
    expect(read([text])).toEqual({ answer, discards: 1 })
    expect(read(text)).toEqual({ answer, discards: 1 })
    for (let index = 1; index < text.length; index++) {
      expect(read([text.slice(0, index), text.slice(index)])).toEqual({ answer, discards: 1 })
    }
  })

  it('passes nothing on of the part that ends with the tag', () => {
    expect(createReasoningFilter().push('Secret.</think>Wipe')).toEqual({ text: 'Wipe', discardsEarlier: true })
  })

  it.each([
    ['Write `</think>` at the end.', 'Write `</think>` at the end.'],
    ['Write `<think>` and </think>.', 'Write `<think>` and </think>.'],
    ['<think>Secret.</think>Wipe </think> it.', 'Wipe </think> it.'],
    ['Wipe </thin', 'Wipe </thin'],
  ])('keeps text about the tag: %j', (text, answer) => {
    expect(read([text])).toEqual({ answer, discards: 0 })
    expect(read(text)).toEqual({ answer, discards: 0 })
  })

  describe('of a model that starts in reasoning', () => {
    const texts = (text: string, isComplete = true) => {
      const filter = createReasoningFilter({ startsInReasoning: true })
      const parts = [...text].map((part) => filter.push(part))
      expect(parts.some(({ discardsEarlier }) => discardsEarlier)).toBe(false)
      return [parts.map((part) => part.text).join(''), filter.flush(isComplete)]
    }

    it('holds back what precedes the closing tag', () => {
      expect(texts('Secret.</think>Wipe <it>.')).toEqual(['Wipe <it>.', ''])
      expect(texts('<think>Secret.</think>Wipe it.')).toEqual(['Wipe it.', ''])
    })

    it('returns a complete text without the tag at the end', () => {
      expect(texts('Wipe it.</thin')).toEqual(['', 'Wipe it.</thin'])
    })

    it('drops a text that is cut off before the tag', () => {
      expect(texts('Secret', false)).toEqual(['', ''])
      expect(texts('Secret.</think>Wipe <th', false)).toEqual(['Wipe ', '<th'])
    })
  })
})
