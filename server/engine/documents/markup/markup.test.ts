import { describe, expect, it } from 'vitest'
import { linesOf, partsOf } from '../../../../tests/support/files/file-parts'
import { readHtml } from './html'
import { readMarkdown } from './markdown'

const markdown = async (text: string) => partsOf(readMarkdown, Buffer.from(text))
const html = async (text: string | Buffer) => partsOf(readHtml, Buffer.from(text))

describe('readMarkdown', () => {
  it('reads headings, lists, tables and code', async () => {
    const { facts, blocks } = await markdown(
      '# Storm *lamps*\n\nThey burn for **nine** hours,\nsee [oil](oil.md).\n\n## Parts\n\n- Tank\n  - Wick\n1. Fill\n\n| Lamp | Price |\n|---|---|\n| Brass | 12 |\n\n```js\nlight(1 < 2)\n```\n\n> Careful!\n',
    )
    expect(facts?.title).toBe('Storm lamps')
    expect(linesOf(blocks)).toEqual([
      'h1: Storm lamps',
      'paragraph: They burn for nine hours, see oil.',
      'h2: Parts',
      'list: - Tank\n  - Wick',
      'list: 1. Fill',
      'table: Lamp | Price\nBrass | 12',
      'code: light(1 < 2)',
      'quote: Careful!',
    ])
    expect(blocks.every(({ anchor }) => anchor === null)).toBe(true)
  })

  it('takes the title from front matter', async () => {
    const { facts, blocks } = await markdown(
      '---\ntitle: "Lamps & oil"\nlayout: page\n---\n# Oil\n\nIt burns in every lamp.\n',
    )
    expect(facts?.title).toBe('Lamps & oil')
    expect(linesOf(blocks)).toEqual(['h1: Oil', 'paragraph: It burns in every lamp.'])
  })

  it('reads a long file as text, with its headings', async () => {
    const { blocks, refused } = await markdown(`# Lamps\n\n${'They burn for nine hours.\n\n'.repeat(200_000)}`)
    expect(refused).toBe(null)
    expect(blocks[0]).toMatchObject({ kind: 'heading', text: 'Lamps' })
    expect(blocks).toHaveLength(200_001)
  })
})

describe('readHtml', () => {
  it('reads the main text of a saved page, with its facts', async () => {
    const sentence = 'The lamp burns for nine hours on one filling, and it does not smoke.'
    const { facts, blocks } = await html(
      `<html lang="en"><head><title>Storm lamps – Lumen</title><meta property="article:published_time" content="2026-05-04T10:00:00Z"></head>
       <body><nav><a href="/">Home</a></nav><main><h1>Storm lamps</h1>${`<p>${sentence}</p>`.repeat(3)}</main></body></html>`,
    )
    expect(facts).toMatchObject({
      title: 'Storm lamps',
      language: 'en',
      publishedAt: Date.parse('2026-05-04T10:00:00Z'),
    })
    expect(linesOf(blocks)).toEqual(['h1: Storm lamps', ...Array.from({ length: 3 }, () => `paragraph: ${sentence}`)])
  })

  it('reads the declared encoding', async () => {
    const page = Buffer.from(
      '<meta charset="iso-8859-1"><main><h1>Öllampen</h1><p>Sie brennen für Stunden.</p></main>',
      'latin1',
    )
    expect(linesOf((await html(page)).blocks)).toEqual(['h1: Öllampen', 'paragraph: Sie brennen für Stunden.'])
  })

  it('refuses a page that is too large', async () => {
    expect((await html(Buffer.alloc(21 * 1024 * 1024, 'x'))).refused).toBe('file-too-complex')
  })
})
