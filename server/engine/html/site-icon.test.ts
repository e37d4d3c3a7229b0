import { expect, it } from 'vitest'
import { extractPage } from './extract-page'

const iconOf = (head: string) =>
  extractPage(
    `<html><head><title>Lamps</title>${head}</head><body><p>Text</p></body></html>`,
    'https://lamps.example/a/b',
  ).icon

it.each([
  ['none', '', null],
  ['the only one', '<link rel="shortcut icon" href="/lamp.ico">', 'https://lamps.example/lamp.ico'],
  ['one of another host', '<link rel="ICON" href="//cdn.example/i.png">', 'https://cdn.example/i.png'],
  [
    'a vector picture',
    '<link rel="icon" sizes="192x192" href="192.png"><link rel="icon" type="image/svg+xml" href="i.svg">',
    'https://lamps.example/a/i.svg',
  ],
  [
    'the smallest that is large enough',
    '<link rel="icon" sizes="16x16" href="16.png"><link rel="icon" sizes="512x512" href="512.png"><link rel="icon" sizes="96x96" href="96.png">',
    'https://lamps.example/a/96.png',
  ],
  [
    'the largest of small ones',
    '<link rel="icon" sizes="16x16" href="16.png"><link rel="icon" sizes="32x32" href="32.png">',
    'https://lamps.example/a/32.png',
  ],
  ['that of a phone', '<link rel="apple-touch-icon" href="/touch.png">', 'https://lamps.example/touch.png'],
  [
    'none in the page itself',
    '<link rel="icon" href="data:image/png;base64,AA"><link rel="icon" href="javascript:0"><link rel="icon">',
    null,
  ],
])('names %s', (_what, head, icon) => {
  expect(iconOf(head)).toBe(icon)
})
