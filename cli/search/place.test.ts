import { expect, it } from 'vitest'
import { placeOf } from './place'

it.each([
  ['kettle.pdf', 'kettle.pdf#page=5', 'kettle.pdf, page 5'],
  ['prices.xlsx', 'prices.xlsx#sheet=New%20prices&row=7', 'prices.xlsx, sheet New prices, row 7'],
  ['notes.txt', 'notes.txt', 'notes.txt'],
  ['https://lamps.example/care', 'https://lamps.example/care#brass', 'https://lamps.example/care#brass'],
  [
    'https://lamps.example/care',
    'https://lamps.example/care#brass:~:text=Oil%20it',
    'https://lamps.example/care#brass',
  ],
  ['https://lamps.example/care', 'https://lamps.example/care#:~:text=Oil%20it', 'https://lamps.example/care'],
  ['https://lamps.example/a.pdf', 'https://lamps.example/a.pdf#page=5', 'https://lamps.example/a.pdf#page=5'],
])('%s as %s is printed as %s', (url, link, place) => {
  expect(placeOf({ url, link })).toBe(place)
})
