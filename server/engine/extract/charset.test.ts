import { describe, expect, it } from 'vitest'
import { decodeHtml } from './charset'

describe('decodeHtml', () => {
  const latin = Buffer.from('é', 'latin1')
  it.each([
    ['the mark before the header', Buffer.from('\ufeffé', 'utf8'), 'text/html; charset=latin1', 'é'],
    ['UTF-16 by its mark', Buffer.from('\ufeffé', 'utf16le'), 'text/html', 'é'],
    ['the header', latin, 'text/html; charset="iso-8859-1"', 'é'],
    [
      'a page that says UTF-8 and is almost',
      Buffer.concat([Buffer.from('é'), latin]),
      'text/html; charset=utf-8',
      'é\ufffd',
    ],
    ['UTF-8 without a word', Buffer.from('é'), 'text/html', 'é'],
    ['windows-1252 where UTF-8 is not valid', Buffer.from([0x93, 0xe9, 0x94]), 'text/html', '“é”'],
    ['Japanese by the header', Buffer.from([0x93, 0xfa]), 'text/html; charset=Shift_JIS', '日'],
  ])('goes by %s', (_name, bytes, contentType, expected) => {
    expect(decodeHtml(bytes, contentType)).toBe(expected)
  })

  it('goes by meta elements, though not by one that cannot be true', () => {
    const page = (meta: string) => Buffer.from(`<head><meta ${meta}></head>é`, 'latin1')
    expect(decodeHtml(page('charset=windows-1252'), '')).toContain('é')
    expect(decodeHtml(page('http-equiv="Content-Type" content="text/html; charset=iso-8859-1"'), '')).toContain('é')
    expect(decodeHtml(Buffer.from('<meta charset="utf-16">é'), '')).toContain('é')
  })
})
