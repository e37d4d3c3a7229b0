import { describe, expect, it } from 'vitest'
import { withoutDialog, withQuery } from './query'

describe('withQuery', () => {
  it('sets, replaces and removes parameters, and keeps the others', () => {
    const search = new URLSearchParams('page=2&size=25&dialog=edit')
    expect(withQuery(search, { page: '3', dialog: null })).toBe('?page=3&size=25')
    expect(search.get('page')).toBe('2')
  })

  it('is a link even without parameters', () => {
    expect(withoutDialog(new URLSearchParams('dialog=delete&id=1'))).toBe('?')
  })
})
