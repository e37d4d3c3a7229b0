import { describe, expect, it } from 'vitest'
import { isBusyElsewhere } from './is-busy-elsewhere'

const source = (id: string, status: 'idle' | 'crawling' = 'idle', paused = false) => ({ id, status, paused })
const address = (source_id: string, status: 'idle' | 'pending' | 'crawling' | 'new') => ({ source_id, status })

describe('isBusyElsewhere', () => {
  it.each([
    ['a source that is not listed is busy', [source('b', 'crawling')], [address('b', 'idle')], true],
    ['only a listed source is busy', [source('a', 'crawling'), source('b')], [address('a', 'crawling')], false],
    ['a run ended after the addresses were read', [source('b')], [address('b', 'crawling')], true],
    ['a run ended before an address was taken up', [source('b')], [address('b', 'pending')], true],
    ['a run is paused', [source('b', 'idle', true)], [address('b', 'pending')], false],
    ['nothing is busy', [source('b')], [address('b', 'new')], false],
  ])('tells if %s', (_, sources, addresses, expected) => {
    expect(isBusyElsewhere(sources, [source('a')], addresses)).toBe(expected)
  })
})
