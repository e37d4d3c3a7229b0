import { describe, expect, it } from 'vitest'
import { parseRobotsHeader } from './x-robots-tag'

const date = Date.UTC(2030, 5, 25, 15)
const nothing = { noindex: false, nofollow: false, unavailableAfter: null }

describe('parseRobotsHeader', () => {
  it.each([
    ['', {}],
    ['all', {}],
    ['noindex', { noindex: true }],
    ['NoIndex , NOFOLLOW', { noindex: true, nofollow: true }],
    ['noindex nofollow', { noindex: true, nofollow: true }],
    ['none', { noindex: true, nofollow: true }],
    ['noindexed', {}],
    ['otherbot: noindex, nofollow', {}],
    ['otherbot: noindex, sitelore: nofollow', { nofollow: true }],
    ['sitelore: noindex, otherbot: nofollow', { noindex: true }],
    ['nofollow, otherbot: noindex', { nofollow: true }],
    ['Sitelore/1.0: none', { noindex: true, nofollow: true }],
    ['max-snippet: 20, max-image-preview: large, noindex', { noindex: true }],
    ['otherbot: max-snippet: 20, noindex', {}],
    ['unavailable_after: 25 Jun 2030 15:00:00 GMT', { unavailableAfter: date }],
    ['unavailable_after: Tuesday, 25-Jun-30 15:00:00 GMT', { unavailableAfter: date }],
    ['unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT, nofollow', { unavailableAfter: date, nofollow: true }],
    ['nofollow, unavailable_after: 2030-06-25T15:00:00Z', { unavailableAfter: date, nofollow: true }],
    ['unavailable_after: 2031-01-01, unavailable_after: 2030-06-25T15:00:00Z', { unavailableAfter: date }],
    ['sitelore: unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT', { unavailableAfter: date }],
    ['otherbot: unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT, noindex', {}],
    ['unavailable_after: some day, noindex', { noindex: true }],
    ['unavailable_after: Tue', {}],
    [':, ::, ,', {}],
  ])('reads %j', (header, said) => {
    expect(parseRobotsHeader(header, 'sitelore')).toEqual({ ...nothing, ...said })
  })

  it('takes linear time', () => {
    const long = `${'unavailable_after: mon, '.repeat(300_000)}${'a'.repeat(2_000_000)}, noindex`
    expect(parseRobotsHeader(long, 'sitelore')).toEqual({ ...nothing, noindex: true })
  })
})
