import { afterAll, describe, expect, it } from 'vitest'
import { createExtractor } from '../../server/adapters/extractor'

const modelFolder = 'models/all-MiniLM-L6-v2'
const extractor = createExtractor({ modelFolder })
afterAll(() => extractor.close())

const url = 'https://site.example/page'
const html = (body: Buffer | string, contentType = 'text/html', followWithin: string | null = null) => ({
  url,
  body: Buffer.from(body),
  contentType,
  followWithin,
})
const page = (text: string) => html(`<html lang="en"><body><main><p>${text}</p></main></body></html>`)
const textOf = (read: Awaited<ReturnType<typeof extractor.extract>>) =>
  typeof read === 'string' ? read : read.fragments.map((fragment) => fragment.text).join('\n')
/** Deep enough to keep the parser busy for longer than the limit of the test. */
const slowPage = html('<pre a'.repeat(400_000))

describe('Extractor', () => {
  it('turns bytes into fragments, with what the page says of itself', async () => {
    expect(await extractor.extract(page('Storm lamps &amp; more'))).toEqual({
      document: { title: '', description: '', language: 'en', canonical: null, noindex: false, nofollow: false },
      fragments: [expect.objectContaining({ ordinal: 0, text: 'Storm lamps & more', tokens: 4, language: 'en' })],
      textHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      links: [],
    })
  })

  it('cuts a long page into fragments of the length that the model reads', async () => {
    const varied = await extractor.extract(
      page(Array.from({ length: 300 }, (_, index) => `The storm lamp ${index} hums.`).join(' ')),
    )
    const tokens = typeof varied === 'string' ? [] : varied.fragments.map((fragment) => fragment.tokens)
    expect(tokens.length).toBeGreaterThan(7)
    expect(Math.max(...tokens)).toBeLessThanOrEqual(254)
  })

  it('names the links of the wanted site, each once, and none where none are wanted', async () => {
    const links = '<a href="/a">a</a><a href="/a#x">a</a><a href="https://other.example/">o</a><a href="/b.pdf">b</a>'
    const found = async (site: string | null, head = '') => {
      const read = await extractor.extract(html(`<html><head>${head}</head><body>${links}</body></html>`, '', site))
      return typeof read === 'string' ? read : read.links
    }
    expect(await found('https://site.example/')).toEqual(['https://site.example/a'])
    expect(await found(null)).toEqual([])
    expect(await found('https://site.example/', '<meta name="robots" content="nofollow">')).toEqual([])
  })

  it('decodes by header, meta and guess', async () => {
    const latin = (head: string) =>
      Buffer.from(`<html><head>${head}</head><body><p>caf\u00e9</p></body></html>`, 'latin1')
    const utf8 = Buffer.from('<html><body><p>caf\u00e9</p></body></html>')
    const read = async (body: Buffer, type: string) => textOf(await extractor.extract(html(body, type)))
    expect(await read(latin(''), 'text/html; charset=ISO-8859-1')).toBe('caf\u00e9')
    expect(await read(latin('<meta charset="windows-1252">'), 'text/html')).toBe('caf\u00e9')
    expect(await read(latin(''), 'text/html')).toBe('caf\u00e9')
    expect(await read(utf8, 'text/html')).toBe('caf\u00e9')
    expect(await read(utf8, 'text/html; charset=no-such-thing')).toBe('caf\u00e9')
    expect(await read(Buffer.from('\ufeff<p>\u4f60\u597d</p>', 'utf16le'), 'text/html')).toBe('\u4f60\u597d')
  })

  it('answers in the order of asking', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `page number ${index}`)
    const pages = await Promise.all(texts.map((text) => extractor.extract(page(text))))
    expect(pages.map(textOf)).toEqual(texts)
  })

  it('reads broken and empty pages', async () => {
    for (const source of [
      '',
      '<',
      '<!doctype html>',
      '<html>',
      '</p></p>',
      '<table><tr><p>x',
      '\0\0',
      '<body onload=x>',
    ]) {
      expect(await extractor.extract(html(source)), source).toMatchObject({ links: [] })
    }
  })

  it('gives a page up after the limit and reads the next one', async () => {
    const short = createExtractor({ modelFolder, timeoutMs: 1500 })
    expect(await short.extract(slowPage)).toBe('timeout')
    expect(textOf(await short.extract(page('next')))).toBe('next')
    await short.close()
  })

  it('fails a page that is nested beyond reason, alone', async () => {
    expect(await extractor.extract(html(`<body>${'<div>'.repeat(20_000)}deep`))).toBe('failed')
    expect(textOf(await extractor.extract(page('after')))).toBe('after')
  })

  it('rejects what its end cuts off or comes after it, for that says nothing about a page', async () => {
    const ended = createExtractor({ modelFolder })
    await ended.extract(page('first'))
    const atWork = expect(ended.extract(slowPage)).rejects.toThrow('stopping')
    const waiting = expect(ended.extract(page('next'))).rejects.toThrow('stopping')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await ended.close()
    await Promise.all([atWork, waiting])
    await expect(ended.extract(page('late'))).rejects.toThrow('stopping')
  })
})
