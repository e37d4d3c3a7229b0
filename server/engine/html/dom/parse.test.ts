import { describe, expect, it } from 'vitest'
import { attributeOf, descendantsOf, linkDensity, type PageElement } from './element'
import { parsePage } from './parse'

/** Renders a tree as the names of its elements, each with its children. */
function shape(element: PageElement): string {
  return element.children
    .map((child) => (typeof child === 'string' ? child : `${child.name}(${shape(child)})`))
    .join(',')
}
const parse = (html: string) => shape(parsePage(html).body)

describe('parsePage', () => {
  it.each([
    ['implied ends', '<p>a<p>b<div>c</div>', 'p(a),p(b),div(c)'],
    [
      'items and terms',
      '<ul><li>a<ul><li>b</ul><li>c</ul><dl><dt>d<dd>e<dt>f</dl>',
      'ul(li(a,ul(li(b))),li(c)),dl(dt(d),dd(e),dt(f))',
    ],
    [
      'cells and rows',
      '<table><tr><td>a<td>b<tr><th>c<table><tr><td>d</table></table>e',
      'table(tr(td(a),td(b)),tr(th(c,table(tr(td(d)))))),e',
    ],
    ['an end tag without a start', 'a</div></b></table>b</p>c', 'a,b,p(),c'],
    [
      'an end tag of an element outside the cell',
      '<div><table><tr><td>a</div>b</td></tr></table></div>c',
      'div(table(tr(td(a,b)))),c',
    ],
    ['formatting across blocks', '<b>a<p>b</b>c</p>d', 'b(a,p(b,c)),d'],
    ['a phrase around a block', '<span>a<div>b</span>c</div>', 'span(a,div(b,c))'],
    ['a link in a link', '<a href=x>a<a href=y>b</a>c', 'a(a),a(b),c'],
    ['a heading closed by another', '<h2>a</h3>b', 'h2(a),b'],
    ['a form closed in a table', '<form><table><tr><td>a</form>b</td></tr></table>', 'form(table(tr(td(a,b))))'],
    ['void and unknown elements', '<br/>a<img src=x>b<x-y>c</x-y></br>', 'br(),a,img(),b,x-y(c),br()'],
    ['SVG', '<svg><path/><g><title/>t</g></svg>a', 'svg(path(),g(title(),t)),a'],
    ['SVG without an end', '<div><svg><path></div><p>a', 'div(svg(path())),p(a)'],
    ['HTML that ends SVG', '<svg><g><p>a</p>b', 'svg(g()),p(a),b'],
    ['scripts', '<script>if (a<b) "</div>"</script>a<STYLE>p{}</style >b', 'script(if (a<b) "</div>"),a,style(p{}),b'],
    ['a title with entities', '<title>a &amp; <b></title>', 'title(a & <b>)'],
    ['comments', 'a<!-- <p> -->b<!-->c<!doctype html><?php x ?>d</ >e', 'a,b,c,d,e'],
    ['a lone less-than sign', '1 < 2 <3 &lt; 4', '1 < 2 <3 < 4'],
    ['an unterminated tag', 'a<p class="b', 'a,p()'],
    ['nothing', '', ''],
  ])('%s', (_, html, expected) => {
    expect(parse(html)).toBe(expected)
  })

  it('reads every form of attribute, and the first of a name', () => {
    const [link] = parsePage(
      `<A HREF = /a?b&amp;c=1&copy=2 ID='x "y"' class="z" Class=no hidden data-x=1 target>`,
    ).links
    expect(link && ['href', 'id', 'class', 'hidden', 'target'].map((name) => attributeOf(link, name))).toEqual([
      '/a?b&c=1&copy=2',
      'x "y"',
      'z',
      '',
      null,
    ])
  })

  it('lists elements wherever they are on the page', () => {
    const page = parsePage(
      '<html lang=de><head><base href=/><link rel=x><meta name=a></head><body><meta name=b><div role=main><a>x</a></div><article itemprop=articleBody></article><input></html><p>after',
    )
    expect(page.language).toBe('de')
    expect(page.metas).toHaveLength(2)
    expect(
      [page.bases, page.linkElements, page.mains, page.articles, page.links, page.inputs].map((list) => list.length),
    ).toEqual([1, 1, 1, 1, 1, 1])
    expect(shape(page.body)).toContain('p(after)')
  })

  it('measures the link density', () => {
    const [list] = descendantsOf(
      parsePage('<ul><li><a href=x>abc</a><li>d <a>e</a><script>ffffffff</script></ul>').body,
    )
    expect(list && linkDensity(list)).toBe(0.6)
  })

  it('keeps only text after half a million elements', () => {
    const { body, elements } = parsePage(`${'<p>x'.repeat(500_000)}<p>y</p><script>z</script><b>w</b>`)
    expect(elements).toBe(500_000)
    expect(shape(body).endsWith('p(x,y),w')).toBe(true)
  })

  it.each([
    '<div>',
    '<b><p>x',
    '<a href=x><div>',
    '<table><tr><td>',
    '<ul><li>',
    '<svg><title>',
    '<p></b>',
    '<!--',
    '</',
    '<a href="',
    '<title></titl',
    '<select><option>',
    '<p a=b ',
  ])('parses 300,000 times %s in linear time', (part) => {
    const { body } = parsePage(`${part.repeat(300_000)}deep`)
    expect(descendantsOf(body).length).toBeLessThanOrEqual(500_000)
  })
})
