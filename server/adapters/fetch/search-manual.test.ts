import { expect, it } from 'vitest'
import { createManualSearch } from './search-manual'

const page = {
  name: 'agents',
  title: 'Agents',
  description: '',
  html:
    '<h1 id="agents">Agents</h1>\n<p>An agent answers.</p>\n<h2 id="keys">Keys &amp; models</h2>\n<p>Enter a <code>key</code> of a provider.</p>\n' +
    '<h2 id="delete">Delete an agent</h2>\n<p>Its threads stay.</p>',
  sections: [],
}
const search = createManualSearch([page])

it('finds the sections that have all words, headings first', () => {
  expect(search('key')).toEqual([
    { page: 'agents', section: 'keys', title: 'Agents: Keys & models', excerpt: 'Enter a key of a provider.' },
  ])
  expect(search('agent').map(({ section }) => section)).toEqual(
    ['agents', 'keys', 'delete'].map((id) => (id === 'agents' ? null : id)),
  )
  expect(search('key threads')).toEqual([])
  expect(search('  ')).toEqual([])
})

it('cuts a long text around the first word, between words', () => {
  const long = { ...page, html: `<p>${'lamp '.repeat(80)}battery ${'lamp '.repeat(80)}</p>` }
  const [hit] = createManualSearch([long])('battery')
  expect(hit?.excerpt).toMatch(/^… (lamp )+battery (lamp )*lamp …$/)
})
