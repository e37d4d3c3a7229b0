import { describe, expect, it } from 'vitest'
import { extractPage } from './extract-page'

const parentOf = (body: string, head = '', title = 'Errors and messages') =>
  extractPage(
    `<html><head><title>${title}</title>${head}</head><body>${body}<main><h1>Errors and messages</h1><p>How to raise one.</p></main></body></html>`,
    'https://docs.site.example/manual/plpgsql-errors.html',
  ).parent
const jsonLd = (...names: [string, string?][]) => {
  const itemListElement = names.map(([name, item], index) => ({ '@type': 'ListItem', position: index + 1, name, item }))
  return `<script type="application/ld+json">${JSON.stringify({ '@type': 'BreadcrumbList', itemListElement: itemListElement.toReversed() })}</script>`
}

const microdata = (...items: string[]) => {
  const listed = items.map(
    (item) => `<li itemprop="itemListElement" itemtype="https://schema.org/ListItem">${item}</li>`,
  )
  return `<ol itemscope itemtype="https://schema.org/BreadcrumbList">${listed.join('')}</ol>`
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
    [
      'microdata',
      microdata(
        '<a itemprop="item" href="/"><span itemprop="name">Manual</span></a><meta itemprop="position" content="1">',
        '<a itemprop="item" href="/manual/sql"><span itemprop="name">3.2 Languages</span></a><meta itemprop="position" content="2">',
        '<span itemprop="name">Errors and messages</span><meta itemprop="position" content="3">',
      ),
      '',
      'Languages',
    ],
    [
      'microdata in another order, without the page itself',
      microdata(
        '<link itemprop="item" href="/manual/sql"><meta itemprop="name" content="Languages"><span itemprop="position">2</span>',
        '<a itemprop="url item" href="/"><b itemprop="name">Manual</b></a><span itemprop="position">1</span>',
      ),
      '',
      'Languages',
    ],
    [
      'structured data rather than microdata',
      microdata('<a itemprop="item" href="/manual/other"><span itemprop="name">Other</span></a>'),
      jsonLd(['Manual', '/'], ['Languages', '/manual/sql']),
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
    ['the front page in microdata', microdata('<a itemprop="item" href="/"><span itemprop="name">Docs</span></a>'), ''],
    [
      'an item of another list in microdata',
      microdata('<a itemprop="item" href="/lamps"><span itemprop="name">Lamps</span></a>').replace(
        'Breadcrumb',
        'Item',
      ),
      '',
    ],
    ['a page called home', '<nav class="breadcrumb"><a href="/manual/">Home</a></nav>', ''],
    ['a name that the title contains', '<a rel="up" href="e.html" title="Errors">Up</a>', ''],
    ['a shortcut to a page by its name', '<a href="sql.html" accesskey="U">Languages</a>', ''],
    ['a page without navigation', '<a href="other.html">Other</a>', ''],
  ])('is not %s', (_, body, head) => {
    expect(parentOf(body, head)).toBe('')
  })
})
