import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'
import { parseDate } from './page-dates'

const now = Date.UTC(2026, 10, 21)

describe('timeIn', () => {
  it.each([
    ['2024-03-05', Date.UTC(2024, 2, 5)],
    ['20240305', Date.UTC(2024, 2, 5)],
    ['2024-03-05T10:20:30Z', Date.UTC(2024, 2, 5, 10, 20, 30)],
    ['2024-03-05T10:20:30.123+02:00', Date.UTC(2024, 2, 5, 8, 20, 30)],
    ['2024-03-05 10:20 +0530', Date.UTC(2024, 2, 5, 4, 50)],
    ['2024-03-05T10:20-08', Date.UTC(2024, 2, 5, 18, 20)],
    ['Tue, 05 Mar 2024 10:20:30 GMT', Date.UTC(2024, 2, 5, 10, 20, 30)],
  ])('reads %s', (text, time) => {
    expect(parseDate(text, now)).toBe(time)
  })

  it.each(['', 'yesterday', '5 March', '2024-13-45', '0001-01-01T00:00:00Z', '1970-01-01', '2031-01-01', '2024'])(
    'rejects %j',
    (text) => {
      expect(parseDate(text, now)).toBeNull()
    },
  )
})

describe('the dates of a page', () => {
  const datesOf = (head: string, body = '') => {
    const { publishedAt, modifiedAt } = extractPage(
      `<html><head>${head}</head><body>${body}</body>`,
      'https://a.example/',
    )
    return [publishedAt, modifiedAt].map((time) => (time === null ? null : new Date(time).toISOString().slice(0, 10)))
  }

  it('are read from the head', () => {
    const head = `<meta property="article:published_time" content="2024-03-05T10:00:00Z"><meta name="dcterms.modified" content="2024-04-01">`
    expect(datesOf(head)).toEqual(['2024-03-05', '2024-04-01'])
  })

  it('are read from structured data of the page itself', () => {
    const data = {
      '@graph': [
        { '@type': 'WebSite', datePublished: '2001-01-01' },
        { '@type': 'NewsArticle', datePublished: '2024-03-05', dateModified: '2024-03-06' },
      ],
    }
    expect(datesOf(`<script type="application/ld+json">${JSON.stringify(data)}</script>`)).toEqual([
      '2024-03-05',
      '2024-03-06',
    ])
  })

  it('are read from time elements with a role', () => {
    const body = `<time datetime="2020-01-01">an old day</time><time itemprop="datePublished" datetime="2024-03-05">March</time>`
    expect(datesOf('', body)).toEqual(['2024-03-05', null])
  })

  it.each([
    [
      'a time element',
      '<p class="byline">By Ann <time datetime="2024-03-05T09:00:00Z">5 March</time></p>',
      '2024-03-05',
    ],
    ['midnight in another zone', '<time datetime="2024-03-05T00:00:00+02:00">5 March</time>', '2024-03-05'],
    ['English', '<p>Posted on March 5th, 2024 by Ann</p>', '2024-03-05'],
    ['German', '<p>Veröffentlicht am 5. März 2024 von Anna</p>', '2024-03-05'],
    ['German numbers', '<span class="date">05.03.24</span>', '2024-03-05'],
    ['Spanish', '<div><span>5 de marzo de 2024</span> | Noticias</div>', '2024-03-05'],
    ['French', '<p>Publié le 1er mars 2024 à 18 h</p>', '2024-03-01'],
    ['Polish', '<p>Opublikowano: 5 marca 2024</p>', '2024-03-05'],
    ['Russian', '<p>5 марта 2024</p>', '2024-03-05'],
    ['Japanese', '<p>2024年3月5日</p>', '2024-03-05'],
    ['a line before the heading', '', '2024-03-05'],
  ])('are read from the byline: %s', (kind, byline, day) => {
    const before = kind.endsWith('before the heading') ? '<p>5 March 2024</p>' : ''
    expect(datesOf('', `${before}<h1>Lanterns</h1>${byline}<p>They burn.</p>`)[0]).toBe(day)
  })

  it('tell a change from the publication', () => {
    const body = '<h1>Lanterns</h1><p>Aktualisiert am 6. März 2024</p><p>5. März 2024</p>'
    expect(datesOf('', body)).toEqual(['2024-03-05', '2024-03-06'])
    expect(datesOf('', '<h1>Lanterns</h1><p>Last updated: 6 March 2024</p>')).toEqual([null, '2024-03-06'])
  })

  it.each([
    ['by a meta element', '<meta name="date" content="soon">', '<h1>Lanterns</h1>'],
    [
      'by a date in a sentence',
      '',
      '<h1>Lanterns</h1><p>The museum opens on <span class="date">3 May 2024</span>, and closes in June.</p>',
    ],
    ['by another page', '', '<h1>Lanterns</h1><aside><time datetime="2024-03-05">Other news</time></aside>'],
    ['by comments', '', '<h1>Lanterns</h1><ol class="comments"><li><time datetime="2024-03-05">Ann</time></li></ol>'],
    ['by a copyright', '', '<h1>Lanterns</h1><p>© 5 March 2024 Lamps Ltd</p>'],
    ['by numbers in an order that the language does not tell', '', '<h1>Lanterns</h1><p>04/05/2024</p>'],
  ])('are not guessed %s', (_, head, body) => {
    expect(datesOf(head, body)).toEqual([null, null])
  })

  it('are read from the URL of a page that names none', () => {
    const { publishedAt } = extractPage('<h1>Lanterns</h1>', 'https://a.example/2024/03/05/lanterns')
    expect(publishedAt).toBe(Date.UTC(2024, 2, 5))
  })
})
