import { describe, expect, it } from 'vitest'
import { extractPage } from './extract-page'

const parentOf = (body: string, head = '', title = 'Errors and messages') =>
  extractPage(
    `<html><head><title>${title}</title>${head}</head><body>${body}<main><h1>Errors and messages</h1><p>How to raise one.</p></main></body></html>`,
    'https://docs.site.example/manual/plpgsql-errors.html',
  ).parent
const jsonLd = (...names: [string, string?][]) => {
  const itemListElement = names.map(([name, item], at) => ({ '@type': 'ListItem', position: at + 1, name, item }))
  return `<script type="application/ld+json">${JSON.stringify({ '@type': 'BreadcrumbList', itemListElement: itemListElement.toReversed() })}</script>`
}

describe('the page above another one', () => {
  it.each([
    [
      'a link element',
      '',
      '<link rel="up" href="plpgsql.html" title="Chapter 43. PL/pgSQL &amp; friends">',
      'PL/pgSQL & friends',
    ],
    ['a link called Up', '<a accesskey="u" href="plpgsql.html" title="PL/pgSQL">Up</a>', '', 'PL/pgSQL'],
    ['another link to it', '<a href="plpgsql.html">PL/pgSQL</a><a rel="up" href="plpgsql.html">Up</a>', '', 'PL/pgSQL'],
    [
      'a picture',
      '<a href="sql.html" accesskey="U" title="3.2 Languages"><img alt="" src="up.png"></a>',
      '',
      'Languages',
    ],
    [
      'breadcrumbs',
      '<nav aria-label="Breadcrumb"><a href="/">Home</a> / <a href="/manual/sql">Languages</a> / Errors</nav>',
      '',
      'Languages',
    ],
    [
      'breadcrumbs with the page itself',
      '<ol class="wy-breadcrumbs"><li><a href="/">Manual</a><li><a href="../sql">Languages</a><li><a href="#">Errors</a></ol>',
      '',
      'Languages',
    ],
    [
      'structured data',
      '',
      jsonLd(['Manual', '/'], ['Languages', '/manual/sql'], ['Errors and messages']),
      'Languages',
    ],
  ])('is named by %s', (_, body, head, name) => {
    expect(parentOf(body, head)).toBe(name)
  })

  it.each([
    ['the front page', '<nav class="breadcrumb"><a href="/">Docs</a> Errors</nav>', ''],
    [
      'the start of the manual',
      '',
      '<link rel="home" href="index.html"><link rel="up" href="index.html" title="The manual">',
    ],
    ['a page called home', '<nav class="breadcrumb"><a href="/manual/">Home</a></nav>', ''],
    ['a name that the title contains', '<a rel="up" href="e.html" title="Errors">Up</a>', ''],
    ['a shortcut to a page by its name', '<a href="sql.html" accesskey="U">Languages</a>', ''],
    ['a page without navigation', '<a href="other.html">Other</a>', ''],
  ])('is not %s', (_, body, head) => {
    expect(parentOf(body, head)).toBe('')
  })
})
