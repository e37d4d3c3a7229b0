import { describe, expect, it } from 'vitest'
import { dashboardPath, passageLink, placeOf, shortAddress } from './passage'

describe('passageLink', () => {
  it('links to the first words of the passage', () => {
    expect(passageLink('https://a.example/b', 'Turn the base ring to the left and lift it off.')).toBe(
      'https://a.example/b#:~:text=Turn%20the%20base%20ring%20to%20the%20left%20and',
    )
  })

  it('links to the line with the most words of the query', () => {
    const content = 'Care of the lamps\nWipe the glass with a dry cloth.\nOil the wick of brass once a month.'
    const link = 'https://a.example/b#care'
    expect(passageLink(link, content, 'When do I oil the wick?')).toContain(':~:text=Oil%20the%20wick%20of%20brass')
    expect(passageLink(link, content, 'How do I get my money back?')).toContain(':~:text=Care%20of%20the%20lamps')
    expect(passageLink(link, content)).toBe(passageLink(link, content, '?'))
  })

  it('links to a table row by its first two cells', () => {
    const content = 'Lamp | Price\nMeadow | 9 euros\nStorm-40 | 12 euros | in stock'
    expect(passageLink('https://a.example/b', content, 'price of the storm 40')).toBe(
      'https://a.example/b#:~:text=Storm%2D40,-12%20euros',
    )
    expect(passageLink('https://a.example/b', '| Lamp |', 'lamp')).toBe('https://a.example/b#:~:text=Lamp')
  })

  it('keeps the anchor of the link', () => {
    expect(passageLink('https://a.example/b#battery', 'Pull the blue plug, never the wires.')).toContain(
      '/b#battery:~:text=Pull%20the',
    )
  })

  it('drops Markdown syntax and escapes hyphens', () => {
    expect(passageLink('https://a.example/b', '## Battery\n\n- The **re-charged** cell `HX` fits')).toBe(
      'https://a.example/b#:~:text=The%20re%2Dcharged%20cell%20HX%20fits',
    )
  })

  it('rejects other schemes than http and https', () => {
    expect(passageLink('javascript:alert(1)', 'one two three four')).toBe('#')
  })
})

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
