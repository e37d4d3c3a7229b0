import { describe, expect, it } from 'vitest'
import { sniffContent } from './sniff-content'

const page = { kind: 'page' }
const xml = { kind: 'xml' }
const file = (name: string) => ({ kind: 'file', name })
const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('sniffContent', () => {
  it.each([
    ['text/html', '', page],
    ['text/html; charset=utf-8', 'Words.', page],
    ['TEXT/HTML', '<p>Words.', page],
    ['application/xhtml+xml', '<?xml version="1.0"?><html>', page],
    ['application/xml', '<?xml version="1.0"?><!-- a page --><html xmlns="">', page],
    ['', '<!DOCTYPE html><p>', page],
    ['', '\xef\xbb\xbf\n<!-- <rss> --><HTML>', page],
    ['', '<title>a</title>', page],
    ['text/html', '<?xml version="1.0"?><rss version="2.0">', xml],
    ['text/html', '<feed xmlns="http://www.w3.org/2005/Atom">', xml],
    ['application/rss+xml; charset=utf-8', '<rss>', xml],
    ['application/atom+xml', '', xml],
    ['text/xml', '<urlset>', xml],
    ['', '<?xml version="1.0"?><rss>', xml],
    ['text/html', '<!DOCTYPE html><rss>', page],
    ['', 'if a < b then <html>', file('')],
    ['', '', file('')],
    ['', '<p>', file('')],
    ['', '<!-- never closed <html>', file('')],
    ['application/pdf', '', file('a PDF document')],
    ['text/html', '%PDF-1.7', file('a PDF document')],
    ['application/octet-stream', '%PDF-1.7', file('a PDF document')],
    ['application/octet-stream', 'abc', file('application/octet-stream')],
    ['application/octet-stream', 'PK\x03\x04....[Content_Types].xml..word/document.xml', file('a Word document')],
    ['', 'PK\x03\x04....[Content_Types].xml..xl/workbook.xml', file('an Excel workbook')],
    ['', 'PK\x03\x04....ppt/presentation.xml', file('a PowerPoint presentation')],
    ['', 'PK\x03\x04....mimetypeapplication/epub+zip', file('an e-book')],
    ['', 'PK\x03\x04....readme', file('a zip archive')],
    ['', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', file('an older Office document')],
    ['', '\x89PNG\r\n\x1a\n', file('an image')],
    ['text/html', '\xff\xd8\xff\xe0', file('an image')],
    ['', 'RIFF....WEBPVP8 ', file('an image')],
    ['', 'RIFF....WAVEfmt ', file('a sound or video file')],
    ['', '....ftypisom', file('a video')],
    ['', '\x1f\x8b\x08', file('a gzip archive')],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', '', file('a Word document')],
    ['application/vnd.ms-excel', '', file('an Excel workbook')],
    ['image/svg+xml', '<svg>', file('an image')],
    ['text/plain', '<html>', file('plain text')],
    ['application/ld+json', '{}', file('JSON data')],
    ['text/javascript', '', file('a script')],
    ['application/x-strange', '', file('application/x-strange')],
  ])('classifies %s with %j', (type, body, expected) => {
    expect(sniffContent(type, bytes(body))).toEqual(expected)
  })
})
