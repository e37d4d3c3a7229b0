import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const url = 'https://site.example/page'
const sentence = 'The lantern burns for nine hours on one filling, and it does not smoke when the wind turns. '
const paragraph = `<p>${sentence.repeat(2)}</p>`
const long = paragraph.repeat(8)
const published = '<meta property="article:published_time" content="2026-05-04T10:00:00Z">'

function read(body: string, head = ''): { texts: string[]; around: string[] } {
  const page = extractPage(`<html><head><title>Lanterns</title>${head}</head><body>${body}</body></html>`, url)
  const around = [...page.contacts, ...page.around]
  return { texts: page.blocks.map(({ text }) => text), around: around.map(({ text }) => text) }
}

describe('mainContent', () => {
  it('drops comments below an article', () => {
    const comment = `<li class="comment"><p>I have one of these, ${sentence}</p></li>`
    const { texts, around } = read(
      `<h1>Lanterns</h1><div class="entry-content">${paragraph.repeat(3)}</div><div id="comments"><h2>2 comments</h2><ol class="comment-list">${comment.repeat(2)}</ol></div>`,
    )
    expect(texts).toHaveLength(4)
    expect([...texts, ...around].join()).not.toContain('I have one')
  })

  it('keeps comments if there is nothing else', () => {
    const comment = `<div class="comment"><p>I have one of these, ${sentence}</p></div>`
    const { texts } = read(`<h1>Which lantern?</h1><div class="comments">${comment.repeat(9)}</div>`)
    expect(texts.filter((text) => text.startsWith('I have one'))).toHaveLength(9)
  })

  describe('of a page with little text', () => {
    const comment = `<li class="comment"><p>I have one of these, ${sentence.repeat(3)}</p></li>`
    const comments = `<section id="comments"><h2>6 comments</h2><ol>${comment.repeat(6)}</ol></section>`
    const paragraphs = [
      'Our lanterns burn for nine hours on one filling, and they do not smoke, neither in the wind nor in the heaviest rain.',
      'Lanterns that burn for nine whole hours in rain.',
      'Phone: +48 22 123 45 67',
    ]

    it.each(paragraphs)('drops its comments: %s', (text) => {
      const own = `<h1>Lanterns</h1><p>${text}</p><p>Open: Monday to Friday 9-17</p>`
      for (const html of [`<main>${own}</main>`, `<main><div class="page">${own}</div></main>`])
        expect(read(html + comments).texts).toEqual(['Lanterns', text, 'Open: Monday to Friday 9-17'])
    })

    it('drops its comments if its text is named', () => {
      const [text = ''] = paragraphs
      const own = `<h1>Lanterns</h1><div class="entry-content"><p>${text}</p></div>`
      expect(read(`<main>${own}${comments}</main>`).texts).toEqual(['Lanterns', text])
    })

    it.each(paragraphs)('keeps it beside comments that may be the content: %s', (text) => {
      for (const html of [
        `<h1>Lanterns</h1><div><p>${text}</p></div>${comments}`,
        `<main><h1>Lanterns</h1><p>${text}</p>${comments}</main>`,
        `<div><p>${text}</p><h1>Lanterns</h1></div>${comments}`,
        `<h1>Lanterns</h1>${comments}<p>${text}</p>`,
      ])
        expect(read(html).texts).toContain(text)
    })
  })

  it('drops comments that are longer than the article', () => {
    const comment = `<li class="comment"><p>I have one of these, ${sentence.repeat(3)}</p></li>`
    const comments = `<div id="comments"><ol>${comment.repeat(9)}</ol></div>`
    const short = 'Our new lantern burns for nine hours.'
    const { texts } = read(`<article><h1>Lanterns</h1><p>${short}</p></article>${comments}`)
    expect(texts).toEqual(['Lanterns', short])
    expect(read(`<div><h1>Lanterns</h1>${paragraph.repeat(2)}</div>${comments}`).texts).toHaveLength(3)
  })

  it('drops positions and buttons of galleries, share lines and news tickers', () => {
    const gallery = '<ul><li>Image 1 of 8</li><li>Close</li></ul><p>Share on Facebook</p>'
    const ticker = `<div class="news-ticker"><p>${sentence}</p></div>`
    expect(read(`<article><h1>Lanterns</h1>${ticker}${long}${gallery}${paragraph}</article>`).texts).toHaveLength(10)
  })

  it.each([
    [
      'share buttons',
      '<div class="sharedaddy"><p>Share this with everybody you know, and with all the others.</p></div>',
    ],
    [
      'related pages',
      `<section class="relatedPosts"><h2>More</h2><p><a href="/oil">Oil lamps: ${sentence}</a></p></section>`,
    ],
    ['subscriptions', `<div class="newsletter-box"><p>Our letter comes every week. ${sentence}</p></div>`],
    ['authors', `<div class="author-bio"><p>She has written about lamps since 1998. ${sentence}</p></div>`],
    ['topics', '<p class="post-meta">4 May 2026 in Lamps, by A. Writer</p>'],
    [
      'consent in place of a video',
      `<div class="cookie-embed"><p>To see this, agree to everything. ${sentence}</p></div>`,
    ],
    ['forms', '<form><p>Name</p><input name="a"><p>Message</p><textarea name="b"></textarea></form>'],
  ])('drops %s', (_, html) => {
    const { texts } = read(`<h1>Lanterns</h1><article>${paragraph.repeat(3)}${html}${paragraph}</article>`)
    expect(texts).toHaveLength(5)
  })

  it('keeps elements with state classes, and chapters named after such words', () => {
    const chapter = (id: string, title: string) => `<section id="${id}"><h2>${title}</h2>${paragraph}</section>`
    const { texts } = read(
      `<div class="has-sidebar no-comments">${chapter('comments', '1. Comments')}${chapter('related-options', 'Related options')}</div>`,
    )
    expect(texts).toHaveLength(4)
  })

  it('keeps a text made of widgets, but not the sidebar', () => {
    const widget = (html: string) => `<div class="builder-widget"><div class="widget-wrap">${html}</div></div>`
    const { texts } = read(
      `<h1>Lanterns</h1><div>${widget(paragraph).repeat(6)}</div><div id="sidebar">${widget(`<p>About us. ${sentence}</p>`)}</div>`,
    )
    expect(texts).toHaveLength(7)
  })

  it('keeps boxes between paragraphs that are named sidebars', () => {
    const { texts } = read(
      `<div class="section"><h1>Lanterns</h1>${long}<div class="sidebar"><p>CULTURE ${sentence.repeat(2)}</p></div></div>`,
    )
    expect(texts.at(-1)).toMatch(/^CULTURE/)
  })

  it('keeps a lead above the content, and short lists next to it', () => {
    const { texts } = read(
      `<div><h1>Lanterns</h1><p class="teaser">What everybody has to know before they buy one of them.</p><p>Share</p></div>
       <div class="row"><div class="left"><ul>${'<li>200 g of wax</li>'.repeat(30)}</ul></div><div class="article-text">${paragraph.repeat(3)}</div></div>`,
    )
    expect(texts.slice(0, 2)).toEqual(['Lanterns', 'What everybody has to know before they buy one of them.'])
    expect(texts.join()).not.toContain('Share')
    const recipe = `<h1>Wax cake</h1><div><div><ul>${'<li>200 g of wax</li>'.repeat(30)}</ul></div><div>${paragraph.repeat(3)}</div></div>`
    expect(read(recipe).texts.join()).toContain('200 g of wax')
  })

  it('drops links that lead away from news, with their heading, but not those of documentation', () => {
    const links =
      '<h2>Read next</h2><ul><li><a href="/a">All about oil</a></li><li><a href="/b">All about wicks</a></li></ul>'
    expect(read(`<article><h1>Lanterns</h1>${long}${links}</article>`, published).texts).toHaveLength(9)
    expect(read(`<main><h1>Lanterns</h1>${long}<pre>light()</pre>${links}</main>`).texts).toHaveLength(12)
  })

  it('drops rows of cards below a text, but not those that are the page', () => {
    const card =
      '<div class="card"><h3><a href="/oil">All about oil</a></h3><p>What it costs, and where it comes from.</p></div>'
    expect(read(`<main><h1>Lanterns</h1>${long}<div>${card.repeat(4)}</div></main>`).texts).toHaveLength(9)
    expect(read(`<main><h1>Lanterns</h1><div>${card.repeat(4)}</div></main>`).texts).toHaveLength(9)
  })

  it('drops captions of news and keeps those of documentation', () => {
    const figure = '<figure><img src="a.png"><figcaption>The parts of a lantern</figcaption></figure>'
    const body = `<article><h1>Lanterns</h1>${long}${figure}${paragraph}</article>`
    expect(read(body, published).texts).not.toContain('The parts of a lantern')
    expect(read(body).texts).toContain('The parts of a lantern')
  })

  it('drops short passages that the article body in structured data lacks', () => {
    const data = { '@type': 'NewsArticle', articleBody: sentence.repeat(16) }
    const head = `<script type="application/ld+json">${JSON.stringify(data)}</script>`
    const body = `<article><h1>Lanterns</h1>${long}<p>Become a member of our club, and read on.</p>${paragraph}</article>`
    expect(read(body, head).texts).toHaveLength(10)
    expect(read(body).texts).toHaveLength(11)
  })

  it('returns the footer as boilerplate, without its menus, pictures and hidden text', () => {
    const { texts, around } = read(
      `<nav><a href="/">Home</a></nav><main><h1>Lanterns</h1>${long}</main>
       <footer><h4>Shop</h4><ul><li><a href="/a">Lamps</a></li></ul><h4>Visit us</h4><p>Market 1, Leiden. Phone 071 555 0100</p><img alt="A picture of us" src="us.png"><p hidden>Secret</p></footer>`,
    )
    expect(texts).toHaveLength(9)
    expect(around).toEqual(['Visit us', 'Market 1, Leiden. Phone 071 555 0100'])
  })

  it('returns no lists of links as boilerplate', () => {
    const links = '<ul><li><a href="/a">Lamps of brass</a></li><li><a href="/b">Lamps of iron</a></li></ul>'
    const { around } = read(
      `<main><h1>Lanterns</h1>${long}</main><footer><p>Call 071 555 0100</p>${links}<p><a href="/c">Terms</a> | <a href="/d">Privacy</a></p><div><a href="/e">Jobs</a> <a href="/f">Press</a></div><table><tr><td><a href="/g">Home</a></td><td><a href="/h">Shop</a></td></tr></table></footer>`,
    )
    expect(around).toEqual(['Call 071 555 0100'])
  })

  it('marks lines of links in documentation', () => {
    const chapters = '<section><h2>Oil</h2><pre>lamp fill</pre></section>'.repeat(3)
    const menu = '<ul><li><a href="/a">Lamps of brass</a></li><li><a href="/b">Lamps of iron</a></li></ul>'
    const page = extractPage(`<html><body><main><h1>Lanterns</h1>${chapters}${menu}${long}</main></body></html>`, url)
    const marks = page.blocks.filter((block) => 'mostlyLinks' in block && block.mostlyLinks)
    expect(marks.map(({ text }) => text)).toEqual(['- Lamps of brass\n- Lamps of iron'])
  })

  it('reads a page that seems to be all boilerplate', () => {
    const text = sentence.repeat(3).trim()
    expect(read(`<div class="sidebar"><p>${text}</p></div>`).texts).toEqual([text])
    expect(read(`<div class="sidebar"><p>${sentence.trim()}</p></div>`).texts).toEqual([])
  })

  it.each([
    ['deep', '<div class="sidebar">'.repeat(150_000), []],
    ['many cards', '<div class="c"><h3><a href="/a">A title</a></h3></div>'.repeat(30_000), ['A title']],
    ['many names', Array.from({ length: 100_000 }, (_, index) => `<div class="related-${index}">t</div>`).join(''), []],
    ['long names', `<div class="${'share-bar '.repeat(500_000)}">x</div>`, []],
    ['nested articles', '<article><h1>x</h1><p>Some text.</p>'.repeat(30_000), ['x', 'Some text.']],
  ])('runs in linear time on hostile pages: %s', (_, html, found) => {
    expect([...new Set(read(html).texts)]).toEqual(found)
  })
})
