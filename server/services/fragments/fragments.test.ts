import { expect, it } from 'vitest'
import { fragmentView } from './fragments'

const row = { id: 'a', title: 'Lamps', headings: 'Care / Wicks', text: 'Wipe it.', ordinal: 0, tokens: 3 }
const link = (url: string, anchor: string | null) => fragmentView({ ...row, anchor }, url, 1).link

it('links a fragment of a document to its page, row or sheet', () => {
  expect(link('Price list.pdf', 'page=12')).toBe('Price list.pdf#page=12')
  expect(link('prices.csv', 'row=7')).toBe('prices.csv#row=7')
  expect(link('prices.xlsx', 'sheet=Prices%202030&row=7')).toBe('prices.xlsx#sheet=Prices%202030&row=7')
  expect(link('https://site.example/a.pdf', 'page=3')).toBe('https://site.example/a.pdf#page=3')
})

it('links a fragment of a page to its anchor, percent-encoded', () => {
  expect(link('https://site.example/', null)).toBe('https://site.example/')
  expect(link('https://site.example/', 'opening hours')).toBe('https://site.example/#opening%20hours')
  expect(link('https://site.example/', 'page=1&x=<')).toBe('https://site.example/#page%3D1%26x%3D%3C')
})
