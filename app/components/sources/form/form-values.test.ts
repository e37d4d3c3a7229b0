import { describe, expect, it } from 'vitest'
import { mergeLineErrors, toFormValues } from './form-values'

describe('toFormValues', () => {
  it('writes lists with one entry per line and numbers as text', () => {
    expect(
      toFormValues({
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

describe('mergeLineErrors', () => {
  it('lists the errors of the lines at their field, each once', () => {
    const error = { 'include[0]': ['No path'], 'include[2]': ['No path'], 'exclude.1': ['Too long'], url: ['Invalid'] }
    expect(mergeLineErrors({ status: 'error', error })?.error).toEqual({
      include: ['No path'],
      exclude: ['Too long'],
      url: ['Invalid'],
    })
  })

  it('returns a result without errors unchanged', () => {
    expect(mergeLineErrors(undefined)).toBeUndefined()
    expect(mergeLineErrors({ status: 'success' })).toEqual({ status: 'success' })
  })
})
