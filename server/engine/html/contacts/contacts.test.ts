import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const fill = '<p>The storm lamp burns for forty hours in any wind, and it is easy to clean afterwards.</p>'.repeat(8)
const read = (around: string, { head = '', lang = 'en', own = '' } = {}) =>
  extractPage(
    `<html lang="${lang}"><head>${head}</head><body><main><article><h1>Storm lamp</h1>${fill}${own}</article></main>${around}</body></html>`,
    'https://www.lumen-lamps.example/storm-lamp',
  )
const contactsIn = (around: string, options = {}) => read(around, options).contacts.map(({ text }) => text)
const jsonLd = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

describe('contacts of a site', () => {
  it('are the lines of a footer with their neighbours and headings', () => {
    const { contacts, around } =
      read(`<footer><div><h3>Visit us</h3><p>Lumen Lamps</p><p>Market 1</p><p>2312 AB Leiden</p></div>
      <div><h3>Opening hours</h3><p>Mon-Fri 9-17</p><p>Sat 10-16</p></div>
      <div><h3>About</h3><p>We have made lamps of brass since the year of the great storm.</p></div><p>© 2026 Lumen</p></footer>`)
    expect(contacts.map(({ text }) => text)).toEqual([
      'Visit us',
      'Lumen Lamps',
      'Market 1',
      '2312 AB Leiden',
      'Opening hours',
      'Mon-Fri 9-17',
      'Sat 10-16',
    ])
    expect(around.map(({ text }) => text)).toEqual([
      'About',
      'We have made lamps of brass since the year of the great storm.',
      '© 2026 Lumen',
    ])
  })

  it('are found in links of menus and icons, with a label in the language of the page', () => {
    const around = `<nav><a href="tel:+48221234567">+48 22 123 45 67</a><a href="mailto:Sklep@lumen.example?subject=x"><img src="m.png"></a>
      <a href="tel:+48-600-100-200">Zamówienia</a><a href="mailto:?subject=Share">Share</a></nav>`
    expect(contactsIn(around, { lang: 'pl' })).toEqual([
      'Telefon: +48 22 123 45 67',
      'E-mail: sklep@lumen.example',
      'Zamówienia: +48-600-100-200',
    ])
  })

  it('do not repeat in menus what the content says', () => {
    const own = '<p>Call us at +48 22 123 45 67 at any hour of the day, we are happy to help.</p>'
    expect(contactsIn('<nav><a href="tel:0048221234567">Call</a></nav>', { own })).toEqual([])
  })

  it('are a limited number of those in structured data', () => {
    const numbers = (from: number) => Array.from({ length: 1000 }, (_, index) => `+31 71 ${1_000_000 + from + index}`)
    const shop = (from: number) => ({
      '@type': 'Store',
      telephone: numbers(from),
      email: numbers(from).map((number) => `${number.slice(-7)}@lumen-lamps.example`),
    })
    expect(contactsIn('', { head: jsonLd(shop(0)) })).toHaveLength(40)
    const shops = Array.from({ length: 40 }, (_, index) => shop(1000 * index))
    expect(contactsIn('', { head: jsonLd(shops) })).toHaveLength(200)
  })

  it('are found in the structured data of an organization', () => {
    const shop = {
      '@type': 'Store',
      name: 'Lumen &amp; Sons',
      telephone: '+31 71 555 0100',
      email: 'mailto:help@lumen.example',
      address: { streetAddress: 'Market 1', postalCode: '2312 AB', addressLocality: 'Leiden' },
      openingHoursSpecification: [{ dayOfWeek: ['https://schema.org/Monday'], opens: '09:00:00', closes: '17:00' }],
    }
    const site = { '@graph': [{ '@type': 'WebSite', name: 'Lumen Lamps', publisher: shop }] }
    const options = { head: jsonLd(site), lang: 'de' }
    expect(contactsIn('', options)).toEqual([
      'Telefon: +31 71 555 0100',
      'E-Mail: help@lumen.example',
      'Adresse: Market 1, 2312 AB Leiden',
      'Öffnungszeiten: Montag 09:00–17:00',
    ])
    expect(read('', options).siteName).toBe('Lumen Lamps')
    const event = { '@type': 'Event', name: 'Market', location: shop, organizer: { '@type': 'Person', telephone: '1' } }
    expect(contactsIn('', { head: jsonLd(event) })).toEqual([])
  })

  it('are those of an address element, and of long text only its sentences', () => {
    const notice = `${'All pictures are ours. '.repeat(20)}Write to Lumen at law@lumen.example today. ${'All texts are ours. '.repeat(10)}`
    expect(
      contactsIn(`<aside><address>Harbour house, north pier</address></aside><footer><p>${notice}</p></footer>`),
    ).toEqual(['Harbour house, north pier', 'Write to Lumen at law@lumen.example today.'])
  })

  it('are no comments, dates, versions and shares', () => {
    const around = `<section id="comments"><div class="comment"><p>Call me: <a href="tel:+31715550199">+31 71 555 0199</a></p></div></section>
      <footer><p>Version 2.10.4 of 2026-11-21 12:03, build 1234567890</p><p>© 2010-2026 Lumen</p><p>ISBN 978-3-16-148410-0</p></footer>`
    expect(contactsIn(around)).toEqual([])
  })

  it('are the text of a front page that has no other', () => {
    const front = extractPage(
      '<title>Lumen</title><nav><a href="tel:+31715550100">Call us</a></nav>',
      'https://lumen.example/',
    )
    expect(front.blocks.map(({ text }) => text)).toEqual(['Call us: +31715550100'])
    expect(front.contacts).toEqual([])
  })
})

describe('siteName', () => {
  it.each([
    ['<meta property="og:site_name" content="Lumen &amp; Sons"><title>Lamp - Shop</title>', 'Lumen & Sons'],
    ['<title>Storm lamp | Lumen Lamps</title>', 'Lumen Lamps'],
    ['<title>Wicks | Oil | The best</title>', ''],
  ])('reads the site name of %s as %s', (head, name) => {
    expect(read('', { head }).siteName).toBe(name)
  })

  it.each([
    ['<a class="logo" href="/">Harbour Lamps</a>', 'Harbour Lamps'],
    ['<a href="https://www.lumen-lamps.example/en/"><img src="logo.svg" alt="Harbour Lamps"></a>', 'Harbour Lamps'],
    ['<a href="/">Home</a>', ''],
    ['<a href="/wicks">Wicks</a>', ''],
    ['<a href="https://other.example/">Harbour Lamps</a>', ''],
  ])('is the part of the title that %s shows: %s', (link, name) => {
    const head = '<title>Home | Wicks | Harbour Lamps</title>'
    expect(read(`<header>${link}</header>`, { head }).siteName).toBe(name)
  })

  const nameOf = (title: string, h1: string, path = '/kontakt') =>
    extractPage(
      `<html><head><title>${title}</title></head><body><main><h1>${h1}</h1>${fill}</main></body></html>`,
      `https://www.shop.example${path}`,
    ).siteName

  it.each([
    ['Kontakt – Lampen Groß', 'Kontakt', 'Lampen Groß'],
    ['Lampen Groß | Kontakt', 'Kontakt', 'Lampen Groß'],
    ['Contact us » Lumen Lamps', 'Contact us', 'Lumen Lamps'],
    ['Lumen Lamps - Home', 'Welcome', 'Lumen Lamps'],
    ['Lumen Lamps', 'Welcome', ''],
    ['Lumen - Shops - Leiden', 'How to find us', ''],
    ['Storm lamp', 'Storm lamp', ''],
  ])('is the part of the title beside the heading, and never the host: %s', (title, h1, name) => {
    expect(nameOf(title, h1)).toBe(name)
  })
})
