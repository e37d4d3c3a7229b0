import { afterAll, describe, expect, it } from 'vitest'
import { createExtractor } from '../../server/adapters/extractor'

const extractor = createExtractor()
afterAll(() => extractor.close())

const url = 'https://site.example/page'
const contentType = 'text/html'
const page = (text: string) => ({
  url,
  contentType,
  body: Buffer.from(`<html lang="en"><body><main><p>${text}</p></main></body></html>`),
})
/** Deep enough to keep the parser busy for longer than the limit of the test. */
const slowPage = { url, contentType, body: Buffer.from('<pre a'.repeat(400_000)) }

describe('Extractor', () => {
  it('turns bytes into a document', async () => {
    const document = await extractor.extract(page('Storm lamps &amp; more'))
    expect(document).toMatchObject({
      language: 'en',
      blocks: [{ kind: 'paragraph', text: 'Storm lamps & more' }],
      links: [],
    })
  })

  it('decodes by header, meta and guess', async () => {
    const latin = (head: string) =>
      Buffer.from(`<html><head>${head}</head><body><p>caf\u00e9</p></body></html>`, 'latin1')
    const utf8 = Buffer.from('<html><body><p>caf\u00e9</p></body></html>')
    const read = async (body: Buffer, type: string) => {
      const document = await extractor.extract({ url, body, contentType: type })
      return typeof document === 'string' ? document : document.blocks[0]?.text
    }
    expect(await read(latin(''), 'text/html; charset=ISO-8859-1')).toBe('caf\u00e9')
    expect(await read(latin('<meta charset="windows-1252">'), 'text/html')).toBe('caf\u00e9')
    expect(await read(latin(''), 'text/html')).toBe('caf\u00e9')
    expect(await read(utf8, 'text/html')).toBe('caf\u00e9')
    expect(await read(utf8, 'text/html; charset=no-such-thing')).toBe('caf\u00e9')
    expect(await read(Buffer.from('\ufeff<p>\u4f60\u597d</p>', 'utf16le'), 'text/html')).toBe('\u4f60\u597d')
  })

  it('answers in the order of asking', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `page number ${index}`)
    const documents = await Promise.all(texts.map((text) => extractor.extract(page(text))))
    expect(documents.map((document) => (typeof document === 'string' ? document : document.blocks[0]?.text))).toEqual(
      texts,
    )
  })

  it('reads broken and empty pages', async () => {
    for (const html of [
      '',
      '<',
      '<!doctype html>',
      '<html>',
      '</p></p>',
      '<table><tr><p>x',
      '\0\0',
      '<body onload=x>',
    ]) {
      const document = await extractor.extract({ url, contentType, body: Buffer.from(html) })
      expect(document, html).toMatchObject({ links: [] })
    }
  })

  it('gives a page up after the limit and reads the next one', async () => {
    const short = createExtractor({ timeoutMs: 1500 })
    expect(await short.extract(slowPage)).toBe('timeout')
    expect(await short.extract(page('next'))).toMatchObject({ blocks: [{ text: 'next' }] })
    await short.close()
  })

  it('fails a page that is nested beyond reason, alone', async () => {
    const nested = await extractor.extract({
      url,
      contentType,
      body: Buffer.from(`<body>${'<div>'.repeat(20_000)}deep`),
    })
    expect(nested).toBe('failed')
    expect(await extractor.extract(page('after'))).toMatchObject({ blocks: [{ text: 'after' }] })
  })

  it('answers after its end', async () => {
    const ended = createExtractor()
    await ended.close()
    expect(await ended.extract(page('late'))).toBe('failed')
  })
})
