import { describe, expect, it } from 'vitest'
import type { Block, SiteShare, Tokenizer } from './ports'
import { createRepetitionCount } from './repetition'
import { cutPage, hashesIn, keepBlocks, keptIn, shareOf } from './site-blocks'

const tokenizer: Tokenizer = { count: (text) => text.split(/\s+/).filter(Boolean).length }
const paragraph = (text: string): Block => ({ kind: 'paragraph', text, anchor: null })
const heading = (text: string, level = 2): Block => ({ kind: 'heading', level, text, anchor: null })

const shipping = paragraph('Orders over fifty euros are shipped free of charge.')
const phone = paragraph('Call us: +31 71 555 0100')
const pageOf = (name: string, own: Block[], around: Block[] = [phone]) => ({
  title: name,
  language: 'en',
  blocks: [heading(name, 1), ...own, heading('Shipping'), shipping],
  around,
})
const share = (blocks: Block[], more: Partial<SiteShare> = {}): SiteShare => {
  const { hashes } = keepBlocks({ title: '', language: '', blocks, around: [] })
  return { repeated: new Set(hashesIn(hashes)), isHome: false, isSmall: false, ...more }
}
const textsOf = (fragments: { text: string }[]) => fragments.map(({ text }) => text)

describe('what a page has in common with its site', () => {
  const lamp = pageOf('Storm lamp', [paragraph('It burns for forty hours.')])

  it('leaves the page, with the heading over it', () => {
    const fragments = cutPage(lamp, share([shipping, phone]), tokenizer)
    expect(textsOf(fragments)).toEqual(['It burns for forty hours.'])
    expect(fragments[0]?.innerHeadings).toEqual([])
  })

  it('is kept once with the page that stands for the site, what stands around its content too', () => {
    const fragments = cutPage(lamp, share([shipping, phone], { isHome: true }), tokenizer)
    expect(textsOf(fragments)).toEqual([
      'It burns for forty hours.',
      'Orders over fifty euros are shipped free of charge.\nCall us: +31 71 555 0100',
    ])
    expect(fragments.map(({ ordinal }) => ordinal)).toEqual([0, 1])
  })

  it('keeps all that stands around the front page of a small site', () => {
    expect(textsOf(cutPage(lamp, share([], { isHome: true, isSmall: true }), tokenizer)).join()).toContain('555 0100')
    expect(textsOf(cutPage(lamp, share([], { isHome: true }), tokenizer)).join()).not.toContain('555 0100')
  })

  it('leaves a page whole that has nothing else', () => {
    const same = { title: 'Terms', language: 'en', blocks: [shipping], around: [] }
    expect(textsOf(cutPage(same, share([shipping]), tokenizer))).toEqual([shipping.text])
  })

  it('keeps a heading over text that stays, and one that never had any', () => {
    const blocks = [
      heading('A', 2),
      shipping,
      heading('A.1', 3),
      paragraph('Stays.'),
      heading('B', 2),
      heading('C', 2),
      shipping,
    ]
    const fragments = cutPage({ title: 'T', language: 'en', blocks, around: [] }, share([shipping]), tokenizer)
    expect(
      fragments
        .map(({ headings, innerHeadings, text }) => [headings, innerHeadings, text])
        .flat(2)
        .join(' '),
    ).toMatch(/A A\.1 Stays/)
    expect(JSON.stringify(fragments)).not.toContain('"C"')
  })

  it('survives being kept, and tells by its share whether it is to be cut again', () => {
    const { blocks, hashes } = keepBlocks(lamp)
    expect(keptIn(blocks)).toEqual(lamp)
    const before = shareOf(hashes, share([]))
    expect(shareOf(hashes, share([paragraph('Something else.')]))).toBe(before)
    expect(shareOf(hashes, share([shipping]))).not.toBe(before)
    expect(shareOf(hashes, share([], { isHome: true }))).not.toBe(before)
  })
})

describe('createRepetitionCount', () => {
  const repeatedAmong = (pages: string[][]) => {
    const count = createRepetitionCount()
    for (const page of pages) count.sketch(page)
    for (const page of pages) count.count(page)
    return [...count.repeated()]
  }
  const hash = (number: number) => number.toString(16).padStart(16, '0')

  it('finds what most pages have', () => {
    const pages = Array.from({ length: 9 }, (_, at) => [
      hash(at * 3),
      ...(at < 5 ? ['beef'] : []),
      ...(at < 4 ? ['cafe'] : []),
    ])
    expect(repeatedAmong(pages)).toEqual(['beef'])
  })

  it('finds nothing among three pages', () => {
    expect(repeatedAmong([['beef'], ['beef'], ['beef']])).toEqual([])
  })

  it('tells hashes apart that share a cell', () => {
    const pages = Array.from({ length: 10 }, (_, at) => [`00000${hash(at)}`, '00000f', '00001a'])
    expect(repeatedAmong(pages).sort()).toEqual(['00000f', '00001a'])
  })
})
