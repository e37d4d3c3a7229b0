import { describe, expect, it } from 'vitest'
import type { Turn } from './prompt'
import { searchQueryFor } from './search-query'

const user = (content: string): Turn => ({ role: 'user', content })
const agent = (content: string): Turn => ({ role: 'assistant', content })
const history = [user('What is the warranty of floor lamps?'), agent('Two years [1].')]

describe('searchQueryFor', () => {
  it('returns the first question unchanged', () => {
    expect(searchQueryFor('How do I clean brass?', [])).toBe('How do I clean brass?')
  })

  it('always appends the question before', () => {
    expect(searchQueryFor('And abroad?', history)).toBe('And abroad?\nWhat is the warranty of floor lamps?')
    expect(searchQueryFor('How do I clean a lamp that is made of brass?', history)).toBe(
      'How do I clean a lamp that is made of brass?\nWhat is the warranty of floor lamps?',
    )
  })

  it('appends earlier questions until there are seven words that are no function words', () => {
    const longer = [...history, user('And abroad?'), agent('One year.')]
    expect(searchQueryFor('In Spain?', longer)).toBe('In Spain?\nAnd abroad?\nWhat is the warranty of floor lamps?')
    const long = 'Who pays postage for broken brass lamps bought abroad?'
    expect(searchQueryFor(long, longer)).toBe(`${long}\nAnd abroad?`)
    const chinese = [user('保修期多久'), agent('两年。'), user('国外呢'), agent('一年。')]
    expect(searchQueryFor('西班牙呢', chinese)).toBe('西班牙呢\n国外呢\n保修期多久')
  })

  // contract 9.13: Intent analysis uses the last 5 messages
  it('considers the last five messages', () => {
    const answers = Array.from({ length: 3 }, () => agent('Yes.'))
    expect(searchQueryFor('Why?', [user('Brass?'), ...answers])).toBe('Why?\nBrass?')
    expect(searchQueryFor('Why?', [user('Brass?'), ...answers, agent('Yes.')])).toBe('Why?')
  })

  it('skips small talk', () => {
    expect(searchQueryFor('Why?', [...history, user('Thanks!'), agent('You are welcome!')])).toBe(
      'Why?\nWhat is the warranty of floor lamps?',
    )
  })

  it('cuts off what is not searched', () => {
    const query = searchQueryFor('And abroad?', [user(`${'x'.repeat(1_987)}💡`)])
    expect(query).toBe(`And abroad?\n${'x'.repeat(1_987)}`)
  })
})
