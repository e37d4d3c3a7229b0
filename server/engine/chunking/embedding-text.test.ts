import { expect, test } from 'vitest'
import { passageOf, siteHeading } from './embedding-text'

test.each([
  ['title, headings and text', 'Prices / Lamps', 'Lamps\nPrices / Lamps\nFrom 12'],
  ['no headings', '', 'Lamps\nFrom 12'],
  ['what stands on several pages without the title of one', siteHeading, 'From 12'],
  ['the headings below that one', `${siteHeading} / Contact`, 'Contact\nFrom 12'],
])('embeds %s', (_, headings, passage) => {
  expect(passageOf({ title: 'Lamps', headings, text: 'From 12' })).toBe(passage)
})
