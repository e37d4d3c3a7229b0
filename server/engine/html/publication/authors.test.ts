import { expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const authorOf = (body: string, head = '') =>
  extractPage(`<html><head><title>Lanterns</title>${head}</head><body>${body}</body></html>`, 'https://a.example/b')
    .author
const data = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const article = (author: unknown) => data({ '@type': 'NewsArticle', headline: 'Lanterns', author })

it.each([
  ['a name', article('Ann Smith'), 'Ann Smith'],
  ['a person', article({ '@type': 'Person', name: 'Ann Smith' }), 'Ann Smith'],
  ['several', article([{ name: 'Ann Smith' }, { name: 'Jan Kowalski' }]), 'Ann Smith, Jan Kowalski'],
  [
    'a reference',
    data({
      '@graph': [
        { '@type': 'Article', author: { '@id': '#a' } },
        { '@id': '#a', '@type': 'Person', name: 'Ann Smith' },
      ],
    }),
    'Ann Smith',
  ],
])('reads the author from structured data: %s', (_, head, author) => {
  expect(authorOf('<h1>Lanterns</h1><p>They burn.</p>', head)).toBe(author)
})

it.each([
  ['<p class="byline">By Ann Smith <time datetime="2024-03-05">5 March</time></p>', 'Ann Smith'],
  ['<p>Posted on March 5, 2024 by Ann Smith</p>', 'Ann Smith'],
  ['<p>Von Anna Schmidt und Jan Kowalski | Freitag</p>', 'Anna Schmidt und Jan Kowalski'],
  ['<span class="author vcard"><a rel="author" href="/ann">Ann Smith</a></span>', 'Ann Smith'],
  ['<div><span>Datum:</span> 19.11.2021 <span>Autor:</span> Anna Schmidt</div>', 'Anna Schmidt'],
  ['<p>Por María de la Cruz</p>', 'María de la Cruz'],
  ['<p>Text &amp; Fotos: Anna Schmidt</p>', 'Anna Schmidt'],
  ['<p>Posted by lampfan</p>', 'lampfan'],
  ['<p>They burn.</p><div>Photos and text <span itemprop="author">Ann Smith</span></div>', 'Ann Smith'],
])('reads the author from %s', (byline, author) => {
  expect(authorOf(`<h1>Lanterns</h1>${byline}<p>They burn.</p>`)).toBe(author)
})

it('prefers a person to the organization that publishes', () => {
  const head = article({ '@type': 'Organization', name: 'Lamp News' })
  expect(authorOf('<h1>Lanterns</h1><p>By Ann Smith</p>', head)).toBe('Ann Smith')
  expect(authorOf('<h1>Lanterns</h1><p>They burn.</p>', head)).toBe('Lamp News')
})

it.each([
  ['an address', '', '<meta property="article:author" content="https://social.example/lamps">'],
  ['an account', '<p class="author">admin</p>', ''],
  ['a sentence', '<p>By night they burn for nine hours.</p>', ''],
  ['a label', '<p class="author">Posted on</p>', ''],
  ['a program that is called Writer', '<p><span class="WRITER">Move to the Start</span> in the menu</p>', ''],
  ['a command', '<p>ALTER TEXT SEARCH CONFIGURATION changes one.</p>', ''],
  ['a caption', '<p class="title">Table 40.1. Support by Command Tag</p>', ''],
  ['a heading', '<h2>Von Lampe zu Lampe</h2>', ''],
  ['a parameter', '<p>Text: Eine Zeichenfolge.</p>', ''],
  ['what made a program', '<p>Lampctl is a program created by Large Lamps and maintained by others.</p>', ''],
  ['a comment', '<ol class="comments"><li>By Ann Smith</li></ol>', ''],
])('does not take %s for one', (_, body, head) => {
  expect(authorOf(`<h1>Lanterns</h1>${body}`, head)).toBe('')
})
