import { describe, expect, it } from 'vitest'
import { passageLink } from './passage-link'

const page = 'https://a.example/b'
const linkTo = (text: string, words: string[] = [], link = page) =>
  passageLink(link, { text, highlights: words.map((word) => [text.indexOf(word), text.indexOf(word) + word.length]) })

describe('passageLink', () => {
  it('links to a short line as a whole, and to a longer one by its ends', () => {
    expect(linkTo('Keep the receipt.')).toBe(`${page}#:~:text=Keep%20the%20receipt.`)
    expect(linkTo('Turn the base ring to the left and lift it off.')).toBe(
      `${page}#:~:text=Turn%20the%20base%20ring,and%20lift%20it%20off.`,
    )
  })

  it('links to the line with the most matches', () => {
    const text = 'Care of the lamps\nWipe the glass with a dry cloth.\nOil the wick of brass once a month.'
    expect(linkTo(text, ['Oil', 'wick'])).toContain(':~:text=Oil%20the%20wick%20of%20brass')
    expect(linkTo(text)).toContain(':~:text=Care%20of%20the%20lamps')
  })

  it('links to a table row by its first two cells', () => {
    const text = 'Lamp | Price\nMeadow | 9 euros\nStorm-40 | 12 euros | in stock'
    expect(linkTo(text, ['Storm', '40'])).toBe(`${page}#:~:text=Storm%2D40,-12%20euros`)
    expect(linkTo('| Lamp |')).toBe(`${page}#:~:text=Lamp`)
  })

  it('keeps the anchor of the link', () => {
    expect(linkTo('Pull the blue plug.', [], `${page}#battery`)).toBe(
      `${page}#battery:~:text=Pull%20the%20blue%20plug.`,
    )
  })

  it('encodes what is syntax in a text directive', () => {
    expect(linkTo('Oil, gas & re-charged cells: 100 %')).toBe(
      `${page}#:~:text=Oil%2C%20gas%20%26%20re%2Dcharged%20cells%3A%20100%20%25`,
    )
  })

  it('drops Markdown syntax, and the ellipses of a shortened sentence', () => {
    expect(linkTo('- The **charged** cell `HX` fits')).toBe(`${page}#:~:text=The%20charged%20cell%20HX%20fits`)
    expect(linkTo('… the rest of it …')).toBe(`${page}#:~:text=the%20rest%20of%20it`)
  })

  it('leaves the links of files, and those without a text, unchanged', () => {
    expect(linkTo('Storm lamp, 12 euros', [], 'prices.csv#row=7')).toBe('prices.csv#row=7')
    expect(linkTo('Care of lamps', [], 'https://a.example/guide.pdf#page=2')).toBe('https://a.example/guide.pdf#page=2')
    expect(linkTo('Care of lamps', [], 'javascript:alert(1)')).toBe('javascript:alert(1)')
    expect(linkTo('')).toBe(page)
  })

  it('keeps the underscores and stars of names', () => {
    expect(linkTo('Call snake_case_name and __init__')).toBe(`${page}#:~:text=Call%20snake_case_name%20and%20__init__`)
    expect(linkTo('Import * from *all* **these** modules')).toBe(
      `${page}#:~:text=Import%20*%20from%20all%20these%20modules`,
    )
  })

  it('bounds the directive of a script without spaces', () => {
    const long = '漢'.repeat(600)
    const link = linkTo(`a b c ${long} d e f g h ${long}`)
    expect(decodeURIComponent(link).length).toBeLessThan(page.length + 160)
  })
})
