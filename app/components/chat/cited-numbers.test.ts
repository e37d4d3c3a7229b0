import { describe, expect, it } from 'vitest'
import { citedNumbers } from './cited-numbers'

describe('citedNumbers', () => {
  it('returns each number once, in the order of the text', () => {
    expect(citedNumbers('Dry [2](https://a.example/)[1]. Then [2].', 3)).toEqual([2, 1])
  })

  it('ignores code and unknown numbers', () => {
    expect(citedNumbers('`a[1]` [4] [0]\n```\n[2]\n```\n[3]\n~~~\n[2]', 3)).toEqual([3])
  })
})
