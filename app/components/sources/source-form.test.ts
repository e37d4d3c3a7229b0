import { describe, expect, it } from 'vitest'
import { valuesOf, withWholeFields } from './source-form'

describe('valuesOf', () => {
  it('shows lists one a line and numbers as text', () => {
    expect(
      valuesOf({
        include: ['/docs/**', '/blog/**'],
        exclude: [],
        include_selectors: ['main'],
        exclude_selectors: ['.ad', 'nav, aside'],
        max_pages: 40,
        max_depth: null,
        refresh_interval: 'weekly',
        crawl_delay_ms: 0,
        header_names: ['Authorization'],
      }),
    ).toEqual({
      include: '/docs/**\n/blog/**',
      exclude: '',
      include_selectors: 'main',
      exclude_selectors: '.ad\nnav, aside',
      max_pages: '40',
      max_depth: '',
      refresh_interval: 'weekly',
      crawl_delay_ms: '0',
    })
  })
})

describe('withWholeFields', () => {
  it('says of a field what is wrong with its lines, each thing once', () => {
    const error = { 'include[0]': ['No path'], 'include[2]': ['No path'], 'exclude.1': ['Too long'], url: ['Invalid'] }
    expect(withWholeFields({ status: 'error', error })?.error).toEqual({
      include: ['No path'],
      exclude: ['Too long'],
      url: ['Invalid'],
    })
  })

  it('leaves a result without mistakes as it is', () => {
    expect(withWholeFields(undefined)).toBeUndefined()
    expect(withWholeFields({ status: 'success' })).toEqual({ status: 'success' })
  })
})
