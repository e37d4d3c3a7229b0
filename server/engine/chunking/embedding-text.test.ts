import { expect, test } from 'vitest'
import { boilerplateHeading, embeddingText } from './embedding-text'

test.each([
  ['title, headings and text', 'Prices / Lamps', 'Lamps\nPrices / Lamps\nFrom 12'],
  ['no headings', '', 'Lamps\nFrom 12'],
  ['boilerplate without the title', boilerplateHeading, 'From 12'],
  ['the headings of boilerplate', `${boilerplateHeading} / Contact`, 'Contact\nFrom 12'],
])('embeds %s', (_, headings, passage) => {
  expect(embeddingText({ title: 'Lamps', headings, text: 'From 12' })).toBe(passage)
})
