import { describe, expect, it } from 'vitest'
import { blocksIn, sequenceOf } from '../../../../tests/support/files/file-parts'
import type { Block } from '../../ports/extractor'
import { readText } from './text'

const partsOf = (content: string | Uint8Array) => sequenceOf(readText, content)
const blocksOf = async (content: string | Uint8Array) => blocksIn(await partsOf(content))

const describeBlocks = (blocks: Block[]) =>
  blocks.map((block) => `${block.kind}${block.kind === 'heading' ? block.level : ''}: ${block.text}`)

describe('readText', () => {
  it('reads paragraphs, joining wrapped lines only', async () => {
    const text = `The quick brown fox jumps over the lazy dog, and the dog
does not mind it at all, for it is used to foxes that
jump over it.

Acme Limited
12 Long Street
London`
    expect(describeBlocks(await blocksOf(text))).toEqual([
      'paragraph: The quick brown fox jumps over the lazy dog, and the dog does not mind it at all, for it is used to foxes that jump over it.',
      'paragraph: Acme Limited\n12 Long Street\nLondon',
    ])
  })

  it('reads only marked headings', async () => {
    const text = `Opening hours
=============

Weekdays
--------
From nine to five.

=====
Fares
=====

## Children ##

# a remark
key=value

Just a line`
    expect(describeBlocks(await blocksOf(text))).toEqual([
      'heading1: Opening hours',
      'heading2: Weekdays',
      'paragraph: From nine to five.',
      'heading1: Fares',
      'heading2: Children',
      'paragraph: # a remark\nkey=value',
      'paragraph: Just a line',
    ])
  })

  it('preserves the layout of columns and code', async () => {
    const text = `Name      Price\nLamp      12.00\nChair     45.50\n\n    if (x) {\n      y()\n    }\n\n\`\`\`\na\n\n  b\n\`\`\``
    expect(describeBlocks(await blocksOf(text))).toEqual([
      'code: Name      Price\nLamp      12.00\nChair     45.50',
      'code: if (x) {\n  y()\n}',
      'code: a\n\n  b',
    ])
  })

  it('reads lists, with nested items and items of several lines', async () => {
    const text = 'You need:\n- a lamp\n  that is bright\n  * with a plug\n- a chair\n\n1. Sit\n2. Read'
    expect(describeBlocks(await blocksOf(text))).toEqual([
      'paragraph: You need:',
      'list: a lamp that is bright\n  with a plug\na chair',
      'list: 1. Sit\n2. Read',
    ])
  })

  it('reads form feeds and all kinds of line ends', async () => {
    expect(describeBlocks(await blocksOf('one\r\n\r\ntwo\fthree\r\rfour'))).toEqual([
      'paragraph: one',
      'paragraph: two',
      'paragraph: three',
      'paragraph: four',
    ])
  })

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffnaïve'), 'naïve'],
    ['windows-1252', Buffer.from('\x93na\xefve\x94, d\xe9j\xe0 vu', 'latin1'), '“naïve”, déjà vu'],
    ['UTF-16 without a byte order mark', Buffer.from('naïve text', 'utf16le'), 'naïve text'],
    [
      'a meta element that names another encoding',
      Buffer.from('<meta charset=gbk> is HTML, naïve'),
      '<meta charset=gbk> is HTML, naïve',
    ],
    [
      'UTF-8 with one stray byte',
      Buffer.concat([Buffer.from('naïve déjà '), Buffer.from([0xe9])]),
      'naïve déjà \ufffd',
    ],
    ['null characters', Buffer.from('a\0b'.padEnd(50, 'c')), 'ab'.padEnd(49, 'c')],
  ])('decodes %s', async (_name, bytes, expected) => {
    expect((await blocksOf(bytes))[0]?.text).toBe(expected)
  })

  it('decodes late non-ASCII characters, and those cut by the end of a chunk', async () => {
    for (const character of ['é', '日', '😀']) {
      const lines = `${'a'.repeat(63)}\n\n`.repeat(4_030)
      const text = `${lines}${'b'.repeat(256 * 1024 - lines.length - 1)}${character} ${character}`
      expect((await blocksOf(text)).at(-1)?.text.endsWith(`${character} ${character}`)).toBe(true)
    }
    const late = Buffer.concat([Buffer.from('ab cd\n\n'.repeat(50_000)), Buffer.from('caf\xe9 cr\xe8me', 'latin1')])
    expect((await blocksOf(late)).at(-1)?.text).toBe('café crème')
  })

  it('refuses files that are empty or binary', async () => {
    for (const [content, reason] of [
      ['', 'file-empty'],
      [' \n\n\f', 'file-empty'],
      [Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 37) % 256)), 'file-mismatch'],
    ] as const) {
      expect((await partsOf(content)).at(-1)).toEqual({ kind: 'refused', reason })
    }
  })

  it('bounds blocks and reports progress for any lines', async () => {
    for (const text of [
      'a'.repeat(8_000_000),
      'word '.repeat(1_600_000),
      '-\n'.repeat(500_000),
      '=====\n'.repeat(300_000),
    ]) {
      const parts = await partsOf(text)
      const lengths = blocksIn(parts).map((block) => block.text.length)
      expect(Math.max(0, ...lengths)).toBeLessThan(100_000)
      const progress = parts.filter((part) => part.kind === 'progress')
      expect(progress.length).toBeGreaterThan(4)
      expect(progress.at(-1)).toEqual({ kind: 'progress', done: text.length, total: text.length })
    }
  })
})
