import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const content = `<main><h1>Storm lamp 40</h1><p>${'Burns for forty hours in any wind you can stand in. '.repeat(4)}</p></main>`

function textsOf(data: unknown, html = content): string[] {
  const script = `<script type="application/ld+json">${JSON.stringify(data)}</script>`
  return extractPage(`<html><head>${script}</head><body>${html}</body></html>`, 'https://shop.example/').blocks.map(
    ({ kind, text }) => `${kind}: ${text}`,
  )
}

describe('structured data of a page with a text', () => {
  it('adds the price and availability of a product', () => {
    const product = {
      '@type': 'Product',
      name: 'Storm lamp 40',
      brand: { '@type': 'Brand', name: 'Lumen' },
      sku: 'ST-40',
      offers: { '@type': 'Offer', price: 49.5, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
      aggregateRating: { ratingValue: '4.6', reviewCount: 31 },
    }
    expect(textsOf({ '@graph': [{ '@type': 'WebSite', name: 'The lamp shop' }, product] }).slice(2)).toEqual([
      'heading: Storm lamp 40',
      'paragraph: Brand: Lumen\nSKU: ST-40\nPrice: 49.5 EUR\nAvailability: In stock\nRating: 4.6 of 5 (31 reviews)',
    ])
  })

  it('adds answers that the page does not show', () => {
    const answer = (name: string, text: string) => ({
      '@type': 'Question',
      name,
      acceptedAnswer: { '@type': 'Answer', text },
    })
    const faq = {
      '@type': 'FAQPage',
      mainEntity: [
        answer('How long does it burn?', 'Burns for forty hours in any wind you can stand in.'),
        answer('Which oil does it take?', '<p>Any lamp oil, and <b>paraffin</b> as well.</p>'),
      ],
    }
    expect(textsOf(faq).slice(2)).toEqual([
      'heading: Which oil does it take?',
      'paragraph: Any lamp oil, and paraffin as well.',
    ])
  })

  it('adds the times and ingredients of a recipe', () => {
    const recipe = {
      '@type': ['Recipe'],
      name: 'Lamp oil cake',
      totalTime: 'PT1H30M',
      recipeYield: [8, '8 pieces'],
      recipeIngredient: ['300 g flour', '2 eggs'],
      recipeInstructions: [{ '@type': 'HowToStep', text: 'Stir all of it until it is smooth.' }],
    }
    expect(textsOf(recipe).slice(2)).toEqual([
      'heading: Lamp oil cake',
      'paragraph: Total time: 1 h 30 min\nMakes: 8, 8 pieces',
      'list: - 300 g flour\n- 2 eggs',
      'list: - Stir all of it until it is smooth.',
    ])
  })

  it('adds the time and place of an event', () => {
    const event = {
      '@type': 'Event',
      name: 'Night of the lamps',
      startDate: '2026-11-11T18:00',
      endDate: '2026-11-11T22:00',
      location: { name: 'Town hall', address: { streetAddress: 'Market 1', addressLocality: 'Leiden' } },
    }
    expect(textsOf(event, content.replace('Storm lamp 40', 'Night of the lamps')).slice(2)).toEqual([
      'heading: Night of the lamps',
      'paragraph: When: 2026-11-11T18:00 to 2026-11-11T22:00\nWhere: Town hall, Market 1, Leiden',
    ])
  })

  const graph = (...things: object[]) => ({ '@graph': things })

  it('ignores an event that a side bar announces', () => {
    const event = { '@type': 'MusicEvent', name: 'Night of the lamps', startDate: '2026-11-11T18:00' }
    const aside = `${content}<aside><h3>Night of the lamps</h3><p>11 November, 18:00</p></aside>`
    expect(textsOf(event, aside)).toHaveLength(2)
    expect(textsOf({ ...event, url: 'https://shop.example/events/lamps' }, aside)).toHaveLength(2)
    expect(textsOf({ ...event, url: 'https://shop.example/' }, aside)).toHaveLength(4)
  })

  it('takes the product of the page, not those that go with it', () => {
    const product = (name: string, price: number, url?: string) => ({
      '@type': 'Product',
      name,
      offers: { price },
      url,
    })
    const own = product('Storm lamp 40', 49, 'https://shop.example/storm-40?ref=x')
    const second = product('Oil can', 12, 'https://shop.example/oil-can')
    expect(textsOf(graph(second, own)).slice(2)).toEqual(['heading: Storm lamp 40', 'paragraph: Price: 49'])
    expect(textsOf(graph(second)).slice(2)).toEqual([])
    expect(textsOf(graph(product('ST-40', 49))).slice(2)).toEqual(['heading: ST-40', 'paragraph: Price: 49'])
  })

  it('decodes entities', () => {
    const product = {
      '@type': 'Product',
      name: 'Storm lamp 40 &#8211; brass &amp; glass',
      description: 'Lumen&rsquo;s best, with a wick &lt; 10&nbsp;mm.',
      brand: 'Lumen &amp; Sons',
    }
    expect(textsOf(product).slice(2)).toEqual([
      'heading: Storm lamp 40 – brass & glass',
      'paragraph: Lumen’s best, with a wick < 10 mm.',
      'paragraph: Brand: Lumen & Sons',
    ])
  })

  it('ignores data about the site and its publisher', () => {
    expect(
      textsOf([{ '@type': 'Organization', name: 'Lumen', description: 'We make lamps since the year 1900.' }]),
    ).toHaveLength(2)
  })

  it.each([
    ['nested arrays', '['.repeat(5_000) + ']'.repeat(5_000)],
    ['a product in a product', '{"@type":"Product","@graph":{"@type":"Product","mainEntity":{}}}'],
    ['invalid JSON', '{"@type":"Product",'],
  ])('ignores %s', (_, data) => {
    const html = `<script type="application/ld+json">${data}</script>${content}`
    expect(extractPage(html, 'https://shop.example/').blocks).toHaveLength(2)
  })
})
