import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { OpenLink } from './admin-list'

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
