import { describe, expect, it } from 'vitest'
import { extractPage } from '../../html/extract-page'
import { parseUnavailableAfter } from './unavailable-after'

const iso = (robots: string) => {
  const time = parseUnavailableAfter(robots)
  return time === null ? null : new Date(time).toISOString()
}

describe('parseUnavailableAfter', () => {
  it.each([
    ['unavailable_after: 25 Jun 2010 15:00:00 PST', '2010-06-25T23:00:00.000Z'],
    ['noindex, unavailable_after: Sat, 25 Aug 2007 15:00:00 EST, nofollow', '2007-08-25T20:00:00.000Z'],
    ['unavailable_after: Saturday, 25-Aug-07 15:00:00 GMT', '2007-08-25T15:00:00.000Z'],
    ['unavailable_after:25-Aug-2007 15:00 +0200', '2007-08-25T13:00:00.000Z'],
    ['UNAVAILABLE_AFTER: 2007-08-25T15:00:00+02:00', '2007-08-25T13:00:00.000Z'],
    ['unavailable_after: 2007-08-25', '2007-08-25T00:00:00.000Z'],
    ['unavailable_after: 2007-08-25T15:00:00.123Z', '2007-08-25T15:00:00.000Z'],
    ['unavailable_after: 1 January 1999', '1999-01-01T00:00:00.000Z'],
    ['unavailable_after: 2030-01-01, unavailable_after: 2029-01-01', '2029-01-01T00:00:00.000Z'],
  ])('%s', (robots, time) => {
    expect(iso(robots)).toBe(time)
  })

  it.each([
    '',
    'noindex',
    'unavailable_after: soon',
    'unavailable_after: 25 Foo 2007',
    'unavailable_after: 2007-13-01',
  ])('reads no date in "%s"', (robots) => expect(iso(robots)).toBeNull())

  it('is read from robots elements, including those for our crawler', () => {
    const said = (name: string) =>
      extractPage(`<meta name="${name}" content="unavailable_after: 2029-01-01">`, 'https://site.example/')
        .unavailableAfter
    expect(said('robots')).toBe(Date.UTC(2029, 0, 1))
    expect(said('Sitelore')).toBe(Date.UTC(2029, 0, 1))
    expect(said('otherbot')).toBeNull()
  })
})
