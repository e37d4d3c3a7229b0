import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { helpGroups } from './groups'

const folder = fileURLToPath(new URL('../../../docs/manual', import.meta.url))
const pages = readdirSync(folder).map((file) => ({ name: file.replace(/^\d+-|\.md$/g, ''), title: file }))

it('has a group for each page of the manual', () => {
  const groups = helpGroups(pages)
  expect(groups.map(({ title }) => title)).not.toContain('More')
  expect(groups.flatMap(({ pages: listed }) => listed)).toHaveLength(pages.length + 1)
})

it('lists other pages last, and no empty group', () => {
  expect(helpGroups([{ name: 'new-page', title: 'New' }])).toEqual([
    { title: 'Programs', pages: [{ to: '/help/api', title: 'API reference' }] },
    { title: 'More', pages: [{ to: '/help/new-page', title: 'New' }] },
  ])
})
