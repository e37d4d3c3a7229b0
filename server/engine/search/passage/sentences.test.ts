import { describe, expect, it } from 'vitest'
import { splitSentences } from './sentences'

const sentencesOf = (line: string, language: string) =>
  splitSentences(line, language).map(({ start, end }) => line.slice(start, end))

describe('splitSentences', () => {
  it.each([
    ['en', ['We open at 9 a.m. on weekdays.', 'Dr. Meyer is in on Mondays.']],
    ['en', ['The lamp costs 12.50 euros.', 'Shipping is free.']],
    ['en', ['See fig. 3 and No. 5, e.g. the base.', 'It fits.']],
    ['en', ['It takes 12.', 'The other one takes 10.']],
    ['en', ['J. R. R. Tolkien wrote here.', 'Did he?', 'Yes!']],
    ['de', ['Wir öffnen am 3. Mai um 9.30 Uhr.', 'Rufen Sie an: Tel. 030 123456.']],
    ['de', ['Das gilt z. B. für Lampen, d.h. für alle.', 'Die Garantie beträgt ca. Drei Jahre.']],
    ['pl', ['Sklep przy ul. Lipowej 5 jest czynny od godz. 9.00.', 'Zapraszamy!']],
    ['pl', ['Gwarancja trwa np. Dwa lata dla lamp naftowych.', 'Zwrot do 14. dnia jest bezpłatny.']],
    ['ja', ['ランプは十二ユーロです。', '送料は無料です。']],
    ['', ['One.', 'Two.']],
  ])('splits %s: %j', (language, expected) => {
    expect(sentencesOf(expected.join(language === 'ja' ? '' : ' '), language)).toEqual(expected)
  })

  it('returns nothing for a blank line, and one sentence for a line without a period', () => {
    expect(splitSentences('   ', 'en')).toEqual([])
    expect(sentencesOf('  Opening hours ', 'en')).toEqual(['Opening hours'])
  })
})
