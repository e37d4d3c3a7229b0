import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { EmptyList, OpenLink } from './admin-list'

// contract 2m.6: The list of users says that nothing is found
// texts Admin lists: `No users found`
it('says that there are no users', () => {
  expect(renderToStaticMarkup(<EmptyList name="users" />)).toContain('No users found')
})

it('opens the address of a row in a new tab', () => {
  const html = renderToStaticMarkup(<OpenLink url="https://lamps.example/" />)
  expect(html).toMatch(/^<a href="https:\/\/lamps\.example\/" target="_blank" rel="noopener /)
  expect(html).toContain('Open link')
})

it.each([
  ['without an address', null],
  ['whose address is none of the web', 'file:///prices.csv'],
])('has a disabled button in a row %s', (_row, url) => {
  const html = renderToStaticMarkup(<OpenLink url={url} />)
  expect(html).toMatch(/^<button type="button" disabled="" title="No address"/)
  expect(html).toContain('Open link')
  expect(html).not.toContain('href')
})
