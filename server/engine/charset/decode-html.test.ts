import { describe, expect, it } from 'vitest'
import { decodeHtml, encodingOf } from './decode-html'

const latin = Buffer.from('é', 'latin1')
const page = (meta: string) => Buffer.from(`<head><meta ${meta}></head>é`, 'latin1')

describe('decodeHtml', () => {
  it.each([
    ['the byte order mark before the header', Buffer.from('\ufeffé', 'utf8'), 'text/html; charset=latin1', 'é'],
    ['a UTF-16 byte order mark', Buffer.from('\ufeffé', 'utf16le'), 'text/html', 'é'],
    ['the header', latin, 'text/html; charset="iso-8859-1"', 'é'],
    [
      'the header before the page',
      page('charset=utf-8'),
      'text/html;charset=latin1',
      '<head><meta charset=utf-8></head>é',
    ],
    [
      'a header that says UTF-8 if the page nearly is',
      Buffer.concat([Buffer.from('é'), latin]),
      'text/html; charset=utf-8',
      'é\ufffd',
    ],
    ['valid UTF-8 without a declaration', Buffer.from('é'), 'text/html', 'é'],
    ['windows-1252 if UTF-8 is not valid', Buffer.from([0x93, 0xe9, 0x94]), 'text/html', '“é”'],
    ['Japanese by the header', Buffer.from([0x93, 0xfa]), 'text/html; charset=Shift_JIS', '日'],
    [
      'the page if the header names no known encoding',
      page('charset=latin1'),
      'text/html; charset=none',
      '<head><meta charset=latin1></head>é',
    ],
    ['the bytes if the header cannot be true', Buffer.from('é'), 'text/html; charset=utf-16', 'é'],
  ])('follows %s', (_name, bytes, contentType, expected) => {
    expect(decodeHtml(bytes, contentType)).toBe(expected)
  })

  it('detects the encoding of a page that wrongly says UTF-8', () => {
    const body = Buffer.from('<meta charset=utf-8>Déjà vu, très bientôt à l’été', 'latin1')
    expect(decodeHtml(body, 'text/html; charset=utf-8')).toContain('Déjà vu, très bientôt')
  })

  it('removes null characters, as browsers do', () => {
    expect(decodeHtml(Buffer.from('<p>sto\0rm lamps that hum</p>'), 'text/html')).toBe('<p>storm lamps that hum</p>')
  })
})

describe('the encoding that a page declares', () => {
  it.each([
    ['charset=windows-1251', 'windows-1251'],
    ["CharSet = 'koi8-r' ", 'koi8-r'],
    ['http-equiv="Content-Type" content="text/html; charset=iso-8859-2"', 'iso-8859-2'],
    ['content=\'text/html; charset="big5"\' http-equiv=content-type', 'big5'],
    ['name=x content="text/html; charset=big5"', 'windows-1252'],
    ['charset=x-user-defined', 'windows-1252'],
    ['charset=nothing', 'windows-1252'],
    ['charset=gbk charset=big5', 'gbk'],
    ['property=charset', 'windows-1252'],
  ])('%s means %s', (meta, expected) => expect(encodingOf(page(meta), '')).toBe(expected))

  it.each([
    ['<!-- <meta charset=big5> --><meta charset=gbk>', 'gbk'],
    ['<a title="<meta charset=big5>"><meta charset=gbk>', 'gbk'],
    ['<?xml version="1.0" encoding="gbk"?><html/>', 'gbk'],
    [`${' '.repeat(5_000)}<meta charset=gbk>`, 'gbk'],
    [`${' '.repeat(20_000)}<meta charset=gbk>`, 'utf-8'],
    ['<meta charset=utf-16>', 'utf-8'],
    ['<metacharset=gbk>', 'utf-8'],
    ['<meta charset=gbk', 'utf-8'],
  ])('%s: %s', (text, expected) => expect(encodingOf(Buffer.from(text), '')).toBe(expected))

  it.each(['<meta '.repeat(500_000), `<meta charset${' '.repeat(500_000)}`, `<a${' b=c'.repeat(200_000)}`])(
    'is searched only at the start of a page',
    (text) => {
      expect(encodingOf(Buffer.from(text), '')).toBe('utf-8')
      expect(encodingOf(Buffer.from(`${text}><meta charset=gbk>`), '')).toBe('utf-8')
    },
  )
})

describe('a page without a declared encoding', () => {
  const russian = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0, 0x2c, 0x20, 0xea, 0xe0, 0xea, 0x20, 0xe4]
  it.each([
    ['Russian', Buffer.from([...russian, 0xe5, 0xeb, 0xe0]), 'Привет мир, как дела'],
    [
      'Polish',
      Buffer.from('Za\xbf\xf3\xb3\xe6 g\xea\xb6l\xb1 ja\xbc\xf1, \xbfycie', 'latin1'),
      'Zażółć gęślą jaźń, życie',
    ],
    [
      'Turkish',
      Buffer.from('\xddstanbul\x92da ya\xfeayan \xe7ocuklar\xfdn', 'latin1'),
      'İstanbul’da yaşayan çocukların',
    ],
    ['German', Buffer.from('Gr\xfc\xdfe aus K\xf6ln, sch\xf6ne Stra\xdfe', 'latin1'), 'Grüße aus Köln, schöne Straße'],
    ['ISO-2022-JP', Buffer.from('\x1b$B$3$s\x1b(B', 'latin1'), 'こん'],
    ['UTF-16 without a byte order mark', Buffer.from('<p>Hello, world</p>', 'utf16le'), '<p>Hello, world</p>'],
    [
      'Japanese',
      Buffer.from('\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x58\x83\x67\x82\xc5\x82\xb7', 'latin1'),
      '日本語のテストです',
    ],
  ])('is detected: %s', (_name, body, expected) => expect(decodeHtml(body, 'text/html')).toBe(expected))

  it('is detected from a sample', () => {
    const body = Buffer.alloc(10_000_000, Buffer.from([...russian, 0x20]))
    expect(encodingOf(body, '')).toBe('windows-1251')
    // Much more text of another language after the sample changes nothing.
    body.fill('\xe9t\xe9 \xe0 No\xebl, ', 64 * 1024, body.length, 'latin1')
    expect(encodingOf(body, '')).toBe('windows-1251')
  })
})
