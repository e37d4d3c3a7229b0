import { describe, expect, it } from 'vitest'
import { crawlLimits } from '../../limits'
import { createCrawlerTrapDetector } from './crawler-traps'

const limit = crawlLimits.numberedPageStreak

/** How many pages of a chain are followed; the first one is found on the front page. */
function followed(
  textOf: (number: number) => string,
  pages: number,
  beside: (number: number) => string | null = () => null,
) {
  const streaks = createCrawlerTrapDetector()
  const page = (number: number) => (number < 0 ? '/' : `/${number}`)
  for (let number = 0; number < pages; number++) {
    const [url, discoveredFrom] = [page(number), page(number - 1)]
    if (streaks.isEndless('run', { url, discoveredFrom, texts: [textOf(number)] })) return number
    const text = beside(number)
    if (text !== null) streaks.isEndless('run', { url: `/item-${number}`, discoveredFrom: url, texts: [text] })
  }
  return pages
}

describe('crawler traps', () => {
  it('end a chain of pages that differ only in numbers', () => {
    expect(followed((number) => `Events of day ${number}: none. ٣`, 200)).toBe(limit)
  })

  it('end a calendar with month names once each has occurred', () => {
    const months = ['January', 'February', 'March']
    expect(followed((number) => `${months[number % 3]} ${2000 + number}`, 200)).toBe(limit + 2)
  })

  it('do not end a chain that adds new words', () => {
    expect(followed((number) => `Page ${number} about ${'x'.repeat(number + 1)}`, 200)).toBe(200)
    // Lists of numbers that lead to pages with texts of their own.
    const list = (number: number) => `Entries ${number} to ${number + 50}`
    expect(followed(list, 200, (number) => `About ${'x'.repeat(number + 1)}`)).toBe(200)
    // Only some of them do.
    expect(followed(list, 200, (number) => (number % 20 === 0 ? `About ${'x'.repeat(number + 1)}` : null))).toBe(200)
  })

  it('ignore links of one page, and long pages', () => {
    const streaks = createCrawlerTrapDetector()
    for (let number = 0; number < 200; number++) {
      const texts = [`Price: ${number}`]
      expect(streaks.isEndless('run', { url: `/${number}`, discoveredFrom: '/', texts })).toBe(false)
    }
    const long = (number: number) => Array.from({ length: 21 }, (_, index) => `Row ${number} ${index}`)
    for (let number = 1; number < 200; number++) {
      const page = { url: `/table/${number}`, discoveredFrom: `/table/${number - 1}`, texts: long(number) }
      expect(streaks.isEndless('run', page)).toBe(false)
    }
  })

  it('are detected per run, and old runs are forgotten', () => {
    const streaks = createCrawlerTrapDetector()
    const step = (run: string, number: number) =>
      streaks.isEndless(run, { url: `/${number}`, discoveredFrom: `/${number - 1}`, texts: [`Day ${number}`] })
    for (let number = 0; number < limit; number++) {
      expect(step('one', number)).toBe(false)
      if (number < limit - 1) step('two', number)
    }
    expect(step('one', limit)).toBe(true)
    expect(step('two', limit - 1)).toBe(false)
    for (let run = 0; run < 50; run++) step(`other ${run}`, 0)
    expect(step('one', limit + 1)).toBe(false)
  })
})
