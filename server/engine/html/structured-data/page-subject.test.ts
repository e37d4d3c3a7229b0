import { expect, it } from 'vitest'
import { subjectOf } from './page-subject'

it.each([
  ['https://site.example/lamp', 'http://www.site.example/Lamp/?ref=a#top', 'page'],
  ['https://site.example/lamp?color=red', 'https://site.example/lamp', 'page'],
  ['https://site.example/lamp', 'https://site.example/wick', 'other'],
  ['https://site.example/?p=12', 'https://site.example/?p=12', 'page'],
  ['https://site.example/?p=12', 'https://www.site.example?p=12', 'page'],
  ['https://site.example/?p=12', 'https://site.example/?p=13', 'other'],
  ['https://site.example/?p=12', 'https://site.example/', 'other'],
  ['https://site.example/?utm_source=mail', 'https://site.example/', 'page'],
])('compares the page %s with the thing %s', (address, url, subject) => {
  expect(subjectOf({ url }, { addresses: [address, null], text: '' })).toBe(subject)
})
