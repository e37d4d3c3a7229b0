import { describe, expect, it } from 'vitest'
import { shortAddress } from '../ui/format'
import { dashboardPath, placeOf } from './passage'

describe('dashboardPath', () => {
  const fragment = { id: 'f', score: 1, link: '', title: '', headings: [], content: '' }
  const ids = { address_id: 'a', collection_id: 'c' }

  it('links a passage of a file to its address, but not without the ids', () => {
    expect(dashboardPath({ ...fragment, ...ids, url: 'prices.csv' })).toBe('/dashboard/collection/c/address/a')
    expect(dashboardPath({ ...fragment, url: 'prices.csv' })).toBeNull()
    expect(dashboardPath({ ...fragment, ...ids, url: 'https://lamps.example/prices.csv' })).toBeNull()
  })
})

describe('shortAddress', () => {
  it('drops the scheme', () => {
    expect(shortAddress('https://a.example/b/')).toBe('a.example/b')
  })
})

describe('the place of a passage', () => {
  it.each([
    ['https://lamps.example/care/', 'https://lamps.example/care/#brass', 'lamps.example/care'],
    ['prices.csv', 'prices.csv#row=7', 'prices.csv, row 7'],
    ['lamps.pdf', 'lamps.pdf#page=12', 'lamps.pdf, page 12'],
    ['prices.xlsx', 'prices.xlsx#sheet=New%20prices&row=7', 'prices.xlsx, sheet New prices, row 7'],
    ['notes.txt', 'notes.txt', 'notes.txt'],
    ['C#.txt', 'C#.txt', 'C#.txt'],
    ['C#.pdf', 'C#.pdf#page=3', 'C#.pdf, page 3'],
    ['a#page=9.csv', 'a#page=9.csv', 'a#page=9.csv'],
    ['https://docs.example/guide.pdf', 'https://docs.example/guide.pdf#page=12', 'docs.example/guide.pdf, page 12'],
  ])('%s as %s is %s', (url, link, place) => {
    expect(placeOf({ url, link })).toBe(place)
  })
})
