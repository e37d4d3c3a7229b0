import { describe, expect, it } from 'vitest'
import { threadTitle } from './thread-title'

describe('threadTitle', () => {
  it('is the first line of the question', () => {
    expect(threadTitle('How are brass lamps cleaned?')).toBe('How are brass lamps cleaned?')
    expect(threadTitle('\n  My lamp\tis dark. \r\nIt is a Storm 40.')).toBe('My lamp is dark.')
  })

  it('ends at a word, with an ellipsis, where the line is longer than 80 characters', () => {
    const question = 'How do I change the battery of my Storm 40, which I bought two years ago in Harbour Street?'
    expect(threadTitle(question)).toBe('How do I change the battery of my Storm 40, which I bought two years ago in…')
  })

  it('cuts text without spaces between characters', () => {
    expect(threadTitle('電'.repeat(200))).toBe(`${'電'.repeat(79)}…`)
    const title = threadTitle(`x${'🪔'.repeat(100)}`)
    expect(title).toBe(`x${'🪔'.repeat(39)}…`)
    expect(title.isWellFormed()).toBe(true)
  })
})
