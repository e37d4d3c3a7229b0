import { describe, expect, it } from 'vitest'
import { extractPage } from '../../extract-page'

const names = ['Blue enamel cup', 'Storm lantern', 'Brass wick holder', 'Oil can', 'Copper kettle', 'Felt coaster']

/** Cards of a list, as systems for shops and page builders write them. */
const cards: Record<string, (name: string, price: string, n: number) => string> = {
  'li.product > a.LoopProduct-link > h2': (name, price, n) =>
    `<li class="product product_tag-cups"><a href="/p/${n}" class="woocommerce-LoopProduct-link"><h2>${name}</h2><span>${price}</span></a></li>`,
  'li > div > h3 > a': (name, price, n) =>
    `<li class="grid__item"><div class="card-wrapper"><h3><a href="/p/${n}" class="full-unstyled-link">${name}</a></h3><div>${price}</div></div></li>`,
  'li > strong > a.product-item-link': (name, price, n) =>
    `<li class="item product"><strong class="product name"><a class="product-item-link" href="/p/${n}">${name}</a></strong><span>${price}</span></li>`,
  'a.listing-link > h3': (name, price, n) =>
    `<a class="listing-link" href="/p/${n}"><h3>${name}</h3><span>${price}</span></a>`,
  'a.card-link > div': (name, price, n) =>
    `<a class="card-link" href="/p/${n}"><div class="title">${name}</div><div>${price}</div></a>`,
  'article.tag-new > a.tile': (name, price, n) =>
    `<article class="card tag-new"><a class="tile link" href="/p/${n}"><span>${name}</span></a><span>${price}</span></article>`,
  'div.swiper-slide > a > h4': (name, price, n) =>
    `<div class="swiper-slide"><a href="/p/${n}"><h4>${name}</h4></a><div>${price}</div></div>`,
  'div.more-link > a.link': (name, price, n) =>
    `<div class="tile more-link"><a class="link" href="/p/${n}">${name}</a><span>${price}</span></div>`,
  'div.teaser > h3 > a': (name, price, n) =>
    `<div class="teaser"><h3><a href="/p/${n}">${name}</a></h3><p>From ${price} a day.</p></div>`,
}
const lists: Record<string, (cards: string) => string> = {
  'a list': (all) => `<main><h1>Cups</h1><p>Showing all 6 results</p><ul class="products columns-4">${all}</ul></main>`,
  boxes: (all) => `<div class="content"><h1>Cups</h1><div class="products list grid">${all}</div></div>`,
  'boxes named for links': (all) => `<main><h1>Cups</h1><div class="links listing-links">${all}</div></main>`,
  'boxes below an introduction': (all) =>
    `<main><h1>Cups</h1><p>${'All our cups are made by hand, and each can be ordered with a lid. '.repeat(4)}</p><div class="product-list">${all}</div></main>`,
}
const menu =
  '<nav><a href="/">Start</a></nav><div class="main-menu"><ul><li><a href="/about">About us</a></li></ul></div>'

function textOf(html: string): string {
  const { blocks } = extractPage(`<title>Shop</title><body>${html}</body>`, 'https://site.example/shop')
  return blocks.map(({ text }) => text).join('\n')
}

describe.each(Object.entries(lists))('cards in %s', (_, list) => {
  it.each(Object.entries(cards))('keep their names and prices: %s', (_, card) => {
    const all = names.map((name, n) => card(name, `$${n + 5}.95`, n)).join('')
    const text = textOf(`${menu}${list(all)}<footer><p>© Wicks Ltd</p></footer>`)
    const missing = names.filter((name, n) => !text.includes(name) || !text.includes(`$${n + 5}.95`))
    expect(missing).toEqual([])
    expect(text).not.toMatch(/About us|Wicks/)
  })

  it('keep their names without prices', () => {
    const all = names.map(
      (name, n) => `<li class="loop-entry tag-x"><h2><a class="entry-link" href="/p/${n}">${name}</a></h2></li>`,
    )
    const text = textOf(`${menu}${list(all.join(''))}<footer><p>© Wicks Ltd</p></footer>`)
    expect(names.filter((name) => !text.includes(name))).toEqual([])
  })
})

it('cards of other pages leave a text to read', () => {
  const text = 'The lantern burns for nine hours on one filling, and it does not smoke when the wind turns. '.repeat(2)
  const teasers = names.map((name, n) => `<div class="teaser"><h3><a href="/p/${n}">${name}</a></h3></div>`).join('')
  expect(textOf(`<main><h1>Lanterns</h1>${`<p>${text}</p>`.repeat(9)}${teasers}</main>`)).not.toContain('Storm lantern')
})
