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

  it('are not guessed', () => {
    expect(datesOf('<meta name="date" content="soon">', '<time datetime="2024-03-05">then</time>')).toEqual([
      null,
      null,
    ])
  })
})
