import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createExtractor } from '../../server/adapters/extraction/extractor'
import { hashesIn } from '../../server/engine/chunking/page-blocks'
import { until } from '../support/until'

const modelFolder = 'models/all-MiniLM-L6-v2'
const extractor = createExtractor({ modelFolder })
afterAll(() => extractor.close())
afterEach(() => void vi.useRealTimers())

const stopClock = () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })

const url = 'https://site.example/page'
const html = (body: Buffer | string, contentType = 'text/html', linkSite: string | null = null) => ({
  url,
  body: Buffer.from(body),
  contentType,
  linkSite,
})
const page = (text: string) => html(`<html lang="en"><body><main><p>${text}</p></main></body></html>`)
const textOf = (read: Awaited<ReturnType<typeof extractor.extract>>) =>
  typeof read === 'string' ? read : read.fragments.map((fragment) => fragment.text).join('\n')
/** Keeps a thread busy for far longer than a small page. */
const slowPage = () => html('<div><p>The storm lamp, it hums.</p></div>'.repeat(400_000))

describe('Extractor', () => {
  it('turns bytes into fragments, with what the page says of itself', async () => {
    expect(await extractor.extract(page('Storm lamps &amp; more'))).toEqual({
      document: {
        title: '',
        description: '',
        language: 'en',
        canonical: null,
        noindex: false,
        nofollow: false,
        unavailableAfter: null,
        interstitial: null,
        isLinkList: false,
        forward: null,
        textFrom: 'page',
        author: '',
        siteName: '',
        icon: null,
        publishedAt: null,
        modifiedAt: null,
      },
      fragments: [expect.objectContaining({ ordinal: 0, text: 'Storm lamps & more', tokens: 4, language: 'en' })],
      textHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      links: [],
      feeds: [],
      languages: new Map(),
      excludedLinks: [],
      pageBlocks: { blocks: expect.any(Uint8Array), hashes: expect.any(Uint8Array) },
    })
  })

  it('uses the language that other pages declare only if the page itself gives none', async () => {
    const languageOf = async (text: string, language?: string) => {
      const read = await extractor.extract({
        ...html(`<main><p>${text}</p></main>`),
        headerLanguage: language,
        fallbackLanguage: 'de',
      })
      return typeof read === 'string' ? read : [read.document.language, read.fragments[0]?.language]
    }
    expect(await languageOf('10 20 30')).toEqual(['de', 'de'])
    expect(await languageOf('10 20 30', 'fr')).toEqual(['fr', 'fr'])
    const prose = 'The storm lamp burns for forty hours, and then it wants to be filled with oil again by somebody.'
    expect(await languageOf(prose)).toEqual(['en', 'en'])
  })

  it('rebuilds a page from its stored blocks, without the boilerplate of its site', async () => {
    const read = await extractor.extract(page('It hums.</p><p>Call us on Monday.'))
    const kept = typeof read === 'string' ? null : read.pageBlocks
    if (!kept) throw new Error('The page was not read.')
    const [, call] = hashesIn(kept.hashes).content
    const boilerplate = { repeated: new Set([call ?? '']), retained: new Set<string>(), isEntryPage: false }
    expect(await extractor.rechunk(kept.blocks, boilerplate)).toMatchObject([{ text: 'It hums.', ordinal: 0 }])
    expect(await extractor.rechunk(new Uint8Array([1, 2, 3]), boilerplate)).toBe('failed')
  })

  it('cuts a long page into fragments of the length that the model reads', async () => {
    const varied = await extractor.extract(
      page(Array.from({ length: 300 }, (_, index) => `The storm lamp ${index} hums.`).join(' ')),
    )
    const tokens = typeof varied === 'string' ? [] : varied.fragments.map((fragment) => fragment.tokens)
    expect(tokens.length).toBeGreaterThan(7)
    expect(Math.max(...tokens)).toBeLessThanOrEqual(254)
  })

  it('lists the links within `linkSite` once, and none if it is null', async () => {
    const links =
      '<a href="https://other.example/">o</a><a href="/a">a</a><a href="/a#x">a</a><a href="/b.zip">b</a><a href="/x/x/x/x/x">x</a>'
    const found = async (site: string | null, head = '') => {
      const read = await extractor.extract(html(`<html><head>${head}</head><body>${links}</body></html>`, '', site))
      return typeof read === 'string' ? read : { links: read.links, excludedLinks: read.excludedLinks }
    }
    expect(await found('https://site.example/')).toEqual({
      links: ['https://site.example/a'],
      excludedLinks: [
        { url: 'https://site.example/b.zip', reason: 'not-html' },
        { url: 'https://site.example/x/x/x/x/x', reason: 'trap' },
        { url: 'https://other.example/', reason: 'other-host' },
      ],
    })
    expect(await found(null)).toEqual({ links: [], excludedLinks: [] })
    const nofollow = '<meta name="robots" content="nofollow">'
    expect(await found('https://site.example/', nofollow)).toEqual({ links: [], excludedLinks: [] })
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

  it('answers each page with its own text, however many are asked for at once', async () => {
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
    stopClock()
    const short = createExtractor({ modelFolder, limit: { processorMs: 500, totalMs: 500 } })
    const slow = short.extract(slowPage())
    // The clock of the page starts when its thread has loaded.
    await until(() => vi.getTimerCount() === 1)
    vi.advanceTimersByTime(500)
    expect(await slow).toBe('timeout')
    expect(textOf(await short.extract(page('next')))).toBe('next')
    await short.close()
  })

  it('gives a page up by the time of its thread on a processor', async () => {
    const short = createExtractor({ modelFolder, limit: { processorMs: 300, totalMs: 600_000 } })
    expect(await short.extract(slowPage())).toBe('timeout')
    expect(textOf(await short.extract(page('next')))).toBe('next')
    await short.close()
  })

  it('reads a page that is nested beyond reason', async () => {
    expect(textOf(await extractor.extract(html(`<body>${'<div>'.repeat(100_000)}deep`)))).toBe('deep')
    expect(textOf(await extractor.extract(html(`<main>${'<ul><li>'.repeat(100_000)}deep`)))).toContain('deep')
  })

  it('fails a page that cannot be read, alone', async () => {
    const broken = { ...page('broken'), body: 'no bytes' as unknown as Uint8Array }
    expect(await extractor.extract(broken)).toBe('failed')
    expect(textOf(await extractor.extract(page('after')))).toBe('after')
  })

  it('logs a failure of its own with the stack and counts it', async () => {
    const lines: { err: Error; address: string | null; failures: number }[] = []
    const logged = createExtractor({ modelFolder, log: { error: (details) => void lines.push(details) } })
    const boilerplate = { repeated: new Set<string>(), retained: new Set<string>(), isEntryPage: false }
    const broken = { ...page('broken'), body: 'no bytes' as unknown as Uint8Array }
    expect(await logged.extract(broken)).toBe('failed')
    expect(await logged.rechunk(Buffer.from('no blocks'), boilerplate)).toBe('failed')
    expect(textOf(await logged.extract(page('after')))).toBe('after')
    await logged.close()
    expect(lines.map(({ address, failures }) => [address, failures])).toEqual([
      [url, 1],
      [null, 2],
    ])
    for (const { err } of lines) {
      expect(err).toBeInstanceOf(Error)
      expect(err.stack).toMatch(/\n +at /)
    }
  })

  it('logs the end of a thread whose memory a page exhausts', { timeout: 120_000 }, async () => {
    const lines: Error[] = []
    const log = { error: ({ err }: { err: Error }) => void lines.push(err) }
    const logged = createExtractor({ modelFolder, limit: { processorMs: 120_000, totalMs: 120_000 }, log })
    expect(await logged.extract(html('<p>x'.repeat(3_000_000)))).toBe('failed')
    await logged.close()
    expect(lines).toMatchObject([{ code: 'ERR_WORKER_OUT_OF_MEMORY' }])
  })

  it('reads pages without a model, by the length of their words', async () => {
    const without = createExtractor({ modelFolder: 'no-such-folder' })
    expect(textOf(await without.extract(page('no model')))).toBe('no model')
    await without.close()
  })

  describe('with two threads', () => {
    /** An extractor whose threads have loaded, so that no page waits for that. The clock is stopped. */
    async function createTwo(totalMs: number) {
      stopClock()
      const two = createExtractor({ modelFolder, threads: 2, limit: { processorMs: totalMs, totalMs } })
      await Promise.all([two.extract(page('one')), two.extract(page('two'))])
      return two
    }

    it('reads a page while another one keeps a thread busy', async () => {
      const two = await createTwo(1_000)
      const ended: string[] = []
      const slow = two.extract(slowPage()).then(() => ended.push('slow'))
      expect(textOf(await two.extract(page('quick')))).toBe('quick')
      expect(ended).toEqual([])
      vi.advanceTimersByTime(1_000)
      await slow
      await two.close()
    })

    it('reads large pages one after the other, while smaller ones overtake them', async () => {
      const two = await createTwo(1_000)
      const ended: string[] = []
      const large = ['first', 'second'].map((name) => two.extract(slowPage()).then(() => ended.push(name)))
      ended.push(textOf(await two.extract(page('small'))))
      vi.advanceTimersByTime(1_000)
      await large[0]
      expect(ended).toEqual(['small', 'first'])
      await until(() => {
        vi.advanceTimersByTime(1_000)
        return ended.length === 3
      })
      expect(ended).toEqual(['small', 'first', 'second'])
      await two.close()
    })
  })

  it('ends an idle thread, and starts another when there is work', async () => {
    stopClock()
    const started: Worker[] = []
    const onWorker = (worker: Worker) => void started.push(worker)
    process.on('worker', onWorker)
    const short = createExtractor({ modelFolder, idleMs: 100 })
    expect(textOf(await short.extract(page('first')))).toBe('first')
    expect(textOf(await short.extract(page('again')))).toBe('again')
    expect(started).toHaveLength(1)
    const exits = started.map((worker) => once(worker, 'exit'))
    vi.advanceTimersByTime(100)
    await Promise.all(exits)
    expect(textOf(await short.extract(page('second')))).toBe('second')
    expect(started).toHaveLength(2)
    process.off('worker', onWorker)
    await short.close()
  })

  it('rejects pages that are pending or requested when it closes, as that says nothing about them', async () => {
    const ended = createExtractor({ modelFolder })
    await ended.extract(page('first'))
    const running = expect(ended.extract(slowPage())).rejects.toThrow('stopping')
    const waiting = expect(ended.extract(page('next'))).rejects.toThrow('stopping')
    // The page is handed to the thread within the turn.
    await setImmediate()
    await ended.close()
    await Promise.all([running, waiting])
    await expect(ended.extract(page('late'))).rejects.toThrow('stopping')
  })
})
