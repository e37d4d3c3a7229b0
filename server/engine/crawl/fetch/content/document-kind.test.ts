import { describe, expect, it } from 'vitest'
import { documentNameOf, documentTypeOf } from './document-kind'
import { sniffContent } from './sniff-content'

const site = 'https://site.example'

function typeOf(contentType: string, body: string, path = '/download?id=7'): string | null {
  const bytes = Buffer.from(body, 'latin1')
  const kind = sniffContent(contentType, bytes)
  return kind.kind === 'file' ? documentTypeOf(kind.name, contentType, bytes, site + path) : kind.kind
}

const ole = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
const openXml = 'application/vnd.openxmlformats-officedocument.'

describe('documentTypeOf', () => {
  it.each([
    ['application/pdf', '%PDF-1.7', '/a', 'pdf'],
    ['text/html', '%PDF-1.7', '/a', 'pdf'],
    ['application/octet-stream', '%PDF-1.7', '/a.docx', 'pdf'],
    ['application/pdf', ' %PDF-1.7', '/a', 'pdf'],
    ['application/pdf', '\xff\xd8\xff', '/a.pdf', null],
    ['application/octet-stream', 'PK\x03\x04 word/document.xml', '/a', 'docx'],
    ['application/msword', 'PK\x03\x04 xl/workbook.xml', '/a', 'xlsx'],
    [`${openXml}wordprocessingml.document`, 'PK\x03\x04 [Content_Types].xml', '/a', 'docx'],
    ['application/zip', 'PK\x03\x04 [Content_Types].xml', '/a.xlsx', 'xlsx'],
    ['application/zip', 'PK\x03\x04 lamp.txt', '/a.zip', null],
    [`${openXml}presentationml.presentation`, 'PK\x03\x04 ppt/x', '/a', 'pptx'],
    ['application/msword', ole, '/a', 'doc'],
    ['application/vnd.ms-excel', ole, '/a', 'xls'],
    ['application/octet-stream', ole, '/a.doc', 'doc'],
    ['application/octet-stream', ole, '/a.msi', null],
    ['text/csv; charset=utf-8', 'name,price', '/a', 'csv'],
    ['text/plain', 'name,price', '/prices.csv', 'csv'],
    ['text/plain', 'Read me.', '/README.TXT', 'txt'],
    ['text/plain', 'Read me.', '/readme', 'txt'],
    ['text/plain; charset=utf-8', 'print(1)', '/lamp.py', 'txt'],
    ['text/plain', '# Lamps', '/lamps.md', 'md'],
    ['text/markdown', '# Lamps', '/lamps', 'md'],
    ['text/x-markdown', '# Lamps', '/lamps', 'md'],
    ['application/octet-stream', '# Lamps', '/lamps.md', 'md'],
    ['application/octet-stream', 'lamps', '/lamps', null],
    ['application/octet-stream', 'Read me.', '/readme.txt', 'txt'],
    ['', 'name,price', '/prices.csv', 'csv'],
    ['', 'Read me.', '/readme', null],
    ['application/octet-stream', '\x89PNG\r\n', '/a.txt', null],
    ['application/json', '{}', '/a.txt', null],
    ['image/png', '\x89PNG\r\n', '/a.pdf', null],
    ['text/html', '<html>', '/a.pdf', 'page'],
  ])('%s %j at %s: %s', (contentType, body, path, type) => {
    expect(typeOf(contentType, body, path)).toBe(type)
  })
})

it('names a document after its URL', () => {
  expect(documentNameOf(`${site}/files/Price%20list.pdf?v=2`)).toBe('Price list.pdf')
  expect(documentNameOf(`${site}/a%2Fb%00%E2%80%AEfdp.exe`)).toBe('bfdp.exe')
  expect(documentNameOf(`${site}/100%.pdf`)).toBe('100%.pdf')
  expect(documentNameOf(`${site}/`)).toBe('site.example')
  expect(documentNameOf(`${site}/${'x'.repeat(2000)}`)).toHaveLength(255)
})
