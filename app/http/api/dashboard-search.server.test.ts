import { describe, expect, it } from 'vitest'
import { dashboardSearchOf } from './dashboard-search.server'

const read = (query: string) => dashboardSearchOf(new URLSearchParams(query), ['s1'])

describe('dashboardSearchOf', () => {
  it('reads the query and its filters', () => {
    const { query, input, filters } = read('q=+lamp+&in=s1&type=pdf&language=de')
    expect(query).toBe('lamp')
    expect(input).toMatchObject({ query: 'lamp', sourceId: ['s1'], type: ['pdf'], language: ['de'] })
    expect(filters).toEqual({ source: 's1', type: 'pdf', language: 'de' })
  })

  it('ignores filters that are not valid, and sources of other collections', () => {
    const { input, filters } = read('q=lamp&in=s2&type=zip&language=xx-bogus')
    expect(input?.query).toBe('lamp')
    expect(filters).toEqual({ source: '', type: '', language: '' })
  })

  it('searches for nothing without a query', () => {
    expect(read('type=pdf')).toEqual({ query: '', input: null, filters: { source: '', type: 'pdf', language: '' } })
    expect(read(`q=${'x'.repeat(10_001)}`).input).toBeNull()
  })
})
