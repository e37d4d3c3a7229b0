import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const url = 'https://site.example/lamps/page.html'
const sentence = 'The lantern burns for nine hours on one filling, and it does not smoke when the wind turns. '
const fill = `<p>${sentence.repeat(2).trim()}</p>`.repeat(8)

function textsBehind(html: string): string[] {
  const { blocks } = extractPage(
    `<html><head><title>Lanterns</title></head><body><main><article><h1>Lanterns</h1>${fill}${html}</article></main><footer><p>All rights reserved by the shop.</p></footer></body></html>`,
    url,
  )
  return blocks.slice(9).map(({ text }) => text)
}

describe('what people look for', () => {
  it.each([
    ['a telephone link', '<p>Phone: <a href="tel:+48221234567">+48 22 123 45 67</a></p>', 'Phone: +48 22 123 45 67'],
    ['a mail link', '<p><a href="mailto:a@b.example?subject=Hi">a@b.example</a></p>', 'a@b.example'],
    ['a message link', '<p><a href="sms:+48600100200?body=Hi">+48 600 100 200</a></p>', '+48 600 100 200'],
    ['a place on the map', '<p><a href="geo:52.1,4.5">Market 1, Leiden</a></p>', 'Market 1, Leiden'],
    ['a place on the page', '<p><a href="#oil">Which oil to buy</a></p>', 'Which oil to buy'],
    ['its own address', `<p><a href="${url}#oil">Which oil to buy</a></p>`, 'Which oil to buy'],
    ['its own path', '<p><a href="/lamps/page.html#oil">Which oil to buy</a></p>', 'Which oil to buy'],
    [
      'a list of contacts',
      '<ul><li><a href="tel:+48221234567">+48 22 123 45 67</a></li><li><a href="mailto:a@b.example">a@b.example</a></li></ul>',
      '- +48 22 123 45 67\n- a@b.example',
    ],
  ])('keeps a section with %s', (_, html, text) => {
    expect(textsBehind(`<h2>Contact</h2>${html}`)).toEqual(['Contact', text])
  })

  it.each([
    ['<p><a href="tel:+48%2022%20123%2045%2067">Call us</a></p>', 'Call us (+48 22 123 45 67)'],
    ['<p><a href="sms:+48600100200?body=Hi">Text us</a></p>', 'Text us (+48600100200)'],
    ['<p><a href="mailto:a@b.example">Write to us</a> today</p>', 'Write to us (a@b.example) today'],
    ['<p><a href="tel:+48221234567"><svg></svg></a></p>', '+48221234567'],
    ['<ul><li>Mail: <a href="mailto:a@b.example">Anna</a></li></ul>', '- Mail: Anna (a@b.example)'],
    ['<p><a href="tel:+48221234567">22 123 45 67</a></p>', '22 123 45 67'],
    ['<p><a href="mailto:?body=x">Send this page</a></p>', 'Send this page'],
  ])('says the contact behind a link: %s', (html, text) => {
    expect(textsBehind(html)).toEqual([text])
  })

  it('keeps short lines at the end', () => {
    const lines = [
      'Opening hours: Monday to Friday 9 to 17',
      'Phone: +48 22 123 45 67',
      'Price per night: 120 €',
      'Ask Anna',
    ]
    expect(textsBehind(lines.map((line) => `<p>${line}</p>`).join(''))).toEqual(lines)
  })

  it('drops a line that introduces links to other pages', () => {
    expect(textsBehind('<p>Read next</p><ul><li><a href="/oil">All about oil</a></li></ul>')).toEqual([])
  })

  it.each(['', '#', '#top', 'javascript:share()', '/oil'])('drops a line of links to "%s"', (href) => {
    expect(textsBehind(`<p><a href="${href}">All about oil</a></p>`)).toEqual([])
  })

  it.each([
    [
      'a link',
      '<p>Smith faces <a class="story-body__link" href="/a">a charge of theft</a>.</p>',
      'Smith faces a charge of theft.',
    ],
    ['a date', '<p>Arrival on <span class="date">3 May 2026</span> at noon.</p>', 'Arrival on 3 May 2026 at noon.'],
    [
      'a nested date',
      '<p>Arrival on <b><span class="date">3 May 2026</span></b> at noon.</p>',
      'Arrival on 3 May 2026 at noon.',
    ],
  ])('keeps a phrase in a sentence, whatever its class: %s', (_, html, text) => {
    expect(textsBehind(html)).toEqual([text])
  })

  it('drops a line of meta data that is no sentence', () => {
    expect(textsBehind('<p>Tags: <a class="tag" href="/t/oil">Oil</a></p>')).toEqual([])
  })
})
