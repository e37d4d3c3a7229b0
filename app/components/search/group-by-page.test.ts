import { expect, it } from 'vitest'
import type { FoundFragment } from '../../../contract/views/chat/search-results'
import { groupByPage } from './group-by-page'

const found = (id: string, address_id: string): FoundFragment => ({
  id,
  address_id,
  score: 0.5,
  url: `https://lamps.example/${address_id}`,
  link: `https://lamps.example/${address_id}`,
  title: 'Lamps',
  headings: [],
  content: 'Lamps',
  passage: { text: 'Lamps', highlights: [] },
})

it('makes one group a page, in the order of the best fragments', () => {
  const pages = groupByPage([found('1', 'a'), found('2', 'b'), found('3', 'a'), found('4', 'a')])
  expect(pages.map(({ best, others }) => [best.id, ...others.map(({ id }) => id)])).toEqual([['1', '3', '4'], ['2']])
})
