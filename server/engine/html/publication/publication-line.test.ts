import { expect, it } from 'vitest'
import { publicationLine } from './publication-line'

const published = Date.UTC(2026, 4, 4)
const page = { author: 'Ann Smith', publishedAt: published, modifiedAt: null, language: 'en' }

it.each([
  [{}, 'Written by Ann Smith. Published on May 4, 2026.'],
  [{ modifiedAt: Date.UTC(2026, 5, 5) }, 'Written by Ann Smith. Published on May 4, 2026. Updated on June 5, 2026.'],
  [{ modifiedAt: published + 3_600_000 }, 'Written by Ann Smith. Published on May 4, 2026.'],
  [{ author: '' }, 'Published on May 4, 2026.'],
  [{ language: 'de-at' }, 'Geschrieben von Ann Smith. Veröffentlicht am 4. Mai 2026.'],
  [{ language: 'ru' }, 'Автор: Ann Smith. Опубликовано 4 мая 2026 г.'],
  [{ language: 'ja' }, 'Written by Ann Smith. Published on May 4, 2026.'],
  [{ author: '', publishedAt: null }, ''],
])('says who wrote a page and when: %j', (facts, line) => {
  expect(publicationLine({ ...page, ...facts })).toBe(line)
})
