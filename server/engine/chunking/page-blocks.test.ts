import { describe, expect, it } from 'vitest'
import type { Block, Boilerplate } from '../ports/extractor'
import type { Tokenizer } from '../ports/search-index'
import { createRepetitionCount } from './count-repeated-blocks'
import {
  boilerplateSignature,
  chunkSinglePage,
  chunkWithoutBoilerplate,
  hashesIn,
  packBlocks,
  unpackBlocks,
} from './page-blocks'

const tokenizer: Tokenizer = { count: (text) => text.split(/\s+/).filter(Boolean).length }
const paragraph = (text: string): Block => ({ kind: 'paragraph', text, anchor: null })
const heading = (text: string, level = 2): Block => ({ kind: 'heading', level, text, anchor: null })

const shipping = paragraph('Orders over fifty euros are shipped free of charge.')
const phone = paragraph('Call us: +31 71 555 0100')
const site = { language: 'en', contacts: [] as Block[], siteName: 'Lumen', parent: '', publication: '' }
const pageOf = (name: string, own: Block[], around: Block[] = [phone]) => ({
  ...site,
  title: name,
  blocks: [heading(name, 1), ...own, heading('Shipping'), shipping],
  around,
})
const hashesOf = (blocks: Block[], around: Block[], contacts: Block[] = []) =>
  hashesIn(packBlocks({ ...site, title: '', blocks, around, contacts }).hashes)
const boilerplate = (content: Block[], around: Block[] = [], more: Partial<Boilerplate> = {}): Boilerplate => {
  const hashes = hashesOf(content, around)
  return { repeated: new Set(hashes.content), retained: new Set(), isEntryPage: false, ...more }
}
const retaining = (content: Block[], around: Block[], more: Partial<Boilerplate> = {}): Boilerplate => {
  const hashes = hashesOf(content, around)
  const retained = new Set([...hashes.content, ...hashes.around])
  return { repeated: new Set(hashes.content), retained, isEntryPage: false, ...more }
}
const textsOf = (fragments: { text: string }[]) => fragments.map(({ text }) => text)

describe('chunkWithoutBoilerplate', () => {
  const lamp = pageOf('Storm lamp', [paragraph('It burns for forty hours.')])

  it('removes boilerplate with its heading', () => {
    const fragments = chunkWithoutBoilerplate(lamp, boilerplate([shipping]), tokenizer)
    expect(textsOf(fragments)).toEqual(['It burns for forty hours.'])
    expect(fragments[0]?.innerHeadings).toEqual([])
  })

  it('chunks the boilerplate that a page keeps separately, with the blocks around the content', () => {
    const fragments = chunkWithoutBoilerplate(lamp, retaining([shipping], [phone]), tokenizer)
    expect(textsOf(fragments)).toEqual([
      'It burns for forty hours.',
      'Orders over fifty euros are shipped free of charge.\nCall us: +31 71 555 0100',
    ])
    expect(fragments.map(({ ordinal }) => ordinal)).toEqual([0, 1])
    expect(fragments.map(({ headings }) => headings)).toEqual([[], ['On several pages']])
  })

  it('puts boilerplate under a heading of its own, and nothing else', () => {
    const around = [heading('Visit us', 4), paragraph('Market 1, Leiden.'), heading('Open', 4), phone, paragraph('Hi.')]
    const home = { ...lamp, around }
    const fragments = chunkWithoutBoilerplate(home, retaining([], around.slice(0, 4), { isEntryPage: true }), tokenizer)
    expect(fragments.slice(-3).map(({ headings, text }) => [headings, text])).toEqual([
      [['Open'], 'Hi.'],
      [['On several pages', 'Visit us'], 'Market 1, Leiden.'],
      [['On several pages', 'Open'], phone.text],
    ])
  })

  it('does not keep menus', () => {
    const menu: Block = { kind: 'list', text: '- Lamps\n- Oil', anchor: null, mostlyLinks: true }
    const page = pageOf('Storm lamp', [menu, paragraph('It burns for forty hours.')])
    expect(textsOf(chunkWithoutBoilerplate(page, retaining([menu, shipping], []), tokenizer))).toEqual([
      'It burns for forty hours.',
      shipping.text,
    ])
    expect(textsOf(chunkWithoutBoilerplate(page, boilerplate([]), tokenizer)).join()).toContain('- Lamps')
  })

  it('keeps all blocks around the content of the entry page', () => {
    expect(
      textsOf(chunkWithoutBoilerplate(lamp, boilerplate([], [], { isEntryPage: true }), tokenizer)).join(),
    ).toContain('555 0100')
    expect(textsOf(chunkWithoutBoilerplate(lamp, boilerplate([]), tokenizer)).join()).not.toContain('555 0100')
  })

  it('ignores dates and times in blocks around the content', () => {
    const stamped = (stamp: string) =>
      hashesIn(packBlocks(pageOf('A', [], [paragraph(`Call us. Made ${stamp}`)])).hashes)
    expect(stamped('2026-11-21 12:03').around).toEqual(stamped('2024-01-02 9:40').around)
    expect(stamped('by hand').around).not.toEqual(stamped('2024-01-02 9:40').around)
  })

  it('does not change a page that consists of boilerplate only', () => {
    const same = { ...site, title: 'Terms', blocks: [shipping], around: [] }
    expect(textsOf(chunkWithoutBoilerplate(same, boilerplate([shipping]), tokenizer))).toEqual([shipping.text])
  })

  it('keeps headings with remaining text, and headings that never had text', () => {
    const blocks = [
      heading('A', 2),
      shipping,
      heading('A.1', 3),
      paragraph('Stays.'),
      heading('B', 2),
      heading('C', 2),
      shipping,
    ]
    const fragments = chunkWithoutBoilerplate(
      { ...site, title: 'T', blocks, around: [] },
      boilerplate([shipping]),
      tokenizer,
    )
    expect(
      fragments
        .map(({ headings, innerHeadings, text }) => [headings, innerHeadings, text])
        .flat(2)
        .join(' '),
    ).toMatch(/A A\.1 B Stays\.\nB$/)
    expect(JSON.stringify(fragments)).not.toContain('"C"')
  })

  it('puts the page above it over all headings of a page', () => {
    const below = { ...lamp, parent: 'Lamps for the garden' }
    const expected = [['Lamps for the garden'], ['Lamps for the garden']]
    expect(
      chunkWithoutBoilerplate(below, boilerplate([], [], { isEntryPage: true }), tokenizer).map(
        ({ headings }) => headings,
      ),
    ).toEqual(expected)
    expect(
      chunkWithoutBoilerplate(below, retaining([shipping], [phone]), tokenizer).map(({ headings }) => headings),
    ).toEqual([['Lamps for the garden'], ['On several pages']])
    expect(chunkSinglePage(below, tokenizer)[0]?.headings).toEqual(['Lamps for the garden'])
  })

  it('unpacks what was packed, and changes its signature with the boilerplate', () => {
    const { blocks, hashes } = packBlocks(lamp)
    expect(unpackBlocks(blocks)).toEqual(lamp)
    const before = boilerplateSignature(hashes, boilerplate([]))
    expect(boilerplateSignature(hashes, boilerplate([paragraph('Something else.')]))).toBe(before)
    expect(boilerplateSignature(hashes, boilerplate([shipping]))).not.toBe(before)
    expect(boilerplateSignature(hashes, boilerplate([], [], { isEntryPage: true }))).not.toBe(before)
    expect(boilerplateSignature(hashes, retaining([], [phone]))).not.toBe(before)
  })
})

describe('contacts', () => {
  const hours = paragraph('Opening hours: Monday to Friday 9:00-17:00')
  const branch = paragraph('Branch in Gouda: +31 182 555 010')
  const shop = {
    ...pageOf('Storm lamp', [paragraph('It burns for forty hours.')], []),
    contacts: [phone, hours, branch],
  }
  const [phoneHash = '', hoursHash = '', branchHash = ''] = hashesOf([], [], shop.contacts).contacts
  const cut = (repeated: string[], retained: string[], isEntryPage = false) =>
    chunkWithoutBoilerplate(shop, { repeated: new Set(repeated), retained: new Set(retained), isEntryPage }, tokenizer)
      .slice(1)
      .map(({ title, headings, text }) => [title, headings, text])

  it("gives contacts of the site the site's name as title, and those of a page the page's title", () => {
    expect(cut([phoneHash, hoursHash], [phoneHash, hoursHash, branchHash])).toEqual([
      ['Lumen', ['Contact: Telephone, Opening hours'], `${phone.text}\n${hours.text}`],
      ['Storm lamp', ['Contact: Telephone'], branch.text],
    ])
  })

  it('stay with the page that keeps them for the site', () => {
    expect(cut([phoneHash, hoursHash], [])).toEqual([])
    expect(cut([phoneHash, hoursHash], [phoneHash])).toEqual([['Lumen', ['Contact: Telephone'], phone.text]])
  })

  it('are all of the site on the entry page, even before several pages are known to have them', () => {
    const all = [phone, hours, branch].map(({ text }) => text).join('\n')
    expect(cut([], [], true)).toEqual([['Lumen', ['Contact: Telephone, Opening hours'], all]])
    const alone = chunkSinglePage(shop, tokenizer)
    expect(alone.at(-1)).toMatchObject({ title: 'Lumen', text: all })
    expect(alone.map(({ ordinal }) => ordinal)).toEqual([0, 1])
  })

  it('change the signature of a page that keeps them', () => {
    const { blocks, hashes } = packBlocks(shop)
    expect(unpackBlocks(blocks)).toEqual(shop)
    const signature = (retained: string[]) =>
      boilerplateSignature(hashes, { repeated: new Set(), retained: new Set(retained), isEntryPage: false })
    expect(signature([phoneHash])).not.toBe(signature([]))
  })

  it('are named section by section', () => {
    const contacts = [heading('Visit us', 3), phone, heading('Opening hours', 3), hours]
    const fragments = chunkSinglePage({ ...shop, contacts }, tokenizer).slice(1)
    expect(fragments.map(({ headings }) => headings)).toEqual([
      ['Contact: Telephone', 'Visit us'],
      ['Contact: Opening hours', 'Opening hours'],
    ])
  })

  it('differ in each language, so that none lacks a line that it shares with another', () => {
    const packed = (language: string) => hashesIn(packBlocks({ ...shop, language }).hashes).contacts
    const german = packed('de')
    expect(german.filter((hash) => packed('en').includes(hash))).toEqual([])
    expect(packed('de-AT')).toEqual(german)
    const kept = { repeated: new Set(german), retained: new Set(german), isEntryPage: false }
    const [, contacts] = chunkWithoutBoilerplate({ ...shop, language: 'de' }, kept, tokenizer)
    expect(contacts?.text).toContain(phone.text)
  })

  it('differ if opening hours differ, and are compared with no other blocks', () => {
    const later = paragraph(hours.text.replace('9:00', '10:00'))
    expect(hashesOf([], [], [later]).contacts).not.toEqual([hoursHash])
    expect(hashesOf([phone], [phone], []).contacts).toEqual([])
    expect(new Set([...hashesOf([phone], []).content, ...hashesOf([], [phone]).around, phoneHash]).size).toBe(3)
  })
})

describe('createRepetitionCount', () => {
  const commonTo = (pages: { content?: string[]; around?: string[]; contacts?: string[] }[]) => {
    const count = createRepetitionCount()
    const all = pages.map(({ content = [], around = [], contacts = [] }, index) => ({
      id: `p${index}`,
      rank: `${99 - index}`,
      content,
      around,
      contacts,
    }))
    for (const page of all) count.sketch(page)
    for (const page of all) count.count(page)
    const { repeated, around } = count.result()
    return { repeated: Object.fromEntries(repeated), around: Object.fromEntries(around) }
  }
  const hash = (number: number) => number.toString(16).padStart(16, '0')

  it('finds content of most pages, with the page closest to the start', () => {
    const pages = Array.from({ length: 9 }, (_, index) => ({
      content: [hash(index * 3), ...(index < 5 ? ['beef'] : []), ...(index < 4 ? ['cafe'] : [])],
    }))
    expect(commonTo(pages).repeated).toEqual({ beef: 'p4' })
  })

  it('finds no content among three pages, but blocks around two of them', () => {
    const pages = [
      { content: ['beef'], around: ['f00d'] },
      { content: ['beef'], around: ['f00d'] },
      { content: ['beef'] },
    ]
    expect(commonTo(pages)).toEqual({ repeated: {}, around: { f00d: 'p1' } })
  })

  it('keeps each contact with the page nearest to the start', () => {
    const pages = [{ contacts: ['c0de'] }, { contacts: ['c0de', 'babe'] }, { contacts: ['c0de'] }]
    expect(commonTo(pages)).toEqual({ repeated: { c0de: 'p2' }, around: { babe: 'p1' } })
  })

  it('distinguishes hashes that share a cell', () => {
    const pages = Array.from({ length: 10 }, (_, index) => ({ content: [`00000${hash(index)}`, '00000f', '00001a'] }))
    expect(Object.keys(commonTo(pages).repeated).sort()).toEqual(['00000f', '00001a'])
  })
})
