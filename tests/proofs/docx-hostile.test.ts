import { describe, expect, it } from 'vitest'
import { readDocx } from '../../server/engine/documents/word/docx/docx'
import { docxOf, paragraphOf, tableOf } from '../support/files/docx'
import { linesOf, partsOf } from '../support/files/file-parts'
import { zipOf } from '../support/files/zip'
import { seededRandom } from '../support/seeded-random'

const mebibyte = 1024 * 1024

/** Hexadecimal digits of this many random bytes, the same in each run: they do not compress. */
function noiseOf(bytes: number): string {
  const random = seededRandom(1, 'noise')
  const noise = Buffer.alloc(bytes)
  for (let index = 0; index < bytes; index++) noise[index] = random() * 256
  return noise.toString('hex')
}

function read(bytes: Uint8Array) {
  return partsOf(readDocx, bytes)
}

/** Builds a file with nothing but the main part. */
function mainPartOf(content: string, before = ''): Buffer {
  const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  return zipOf([
    { name: 'word/document.xml', content: `${before}<w:document xmlns:w="${main}">${content}</w:document>` },
  ])
}

describe('damaged files', () => {
  it('are refused if truncated anywhere', async () => {
    const bytes = docxOf({ body: paragraphOf('hello') })
    for (const share of [0.05, 0.3, 0.6, 0.9, 0.999]) {
      const { refused } = await read(bytes.subarray(0, Math.floor(bytes.length * share)))
      expect(refused).toBe('file-broken')
    }
  })

  it('are read up to invalid XML', async () => {
    const { blocks, refused } = await read(mainPartOf(`<w:body>${paragraphOf('hello')}<w:p></w:body>`))
    expect(refused).toBe('file-broken')
    expect(linesOf(blocks)).toEqual([])
    const long = `${paragraphOf(noiseOf(100_000))}<w:p></w:body>`
    expect((await read(mainPartOf(`<w:body>${long}`))).blocks.length).toBeGreaterThan(0)
  })

  it('are read without damaged secondary parts', async () => {
    const { blocks, refused } = await read(
      docxOf({ body: paragraphOf('hello'), styles: '<w:style>', numbering: '</w:num>', footnotes: '&bad;' }),
    )
    expect(refused).toBe(null)
    expect(linesOf(blocks)).toEqual(['paragraph: hello'])
  })

  it('are refused without a main part', async () => {
    expect((await read(zipOf([{ name: 'a.txt', content: 'hello' }]))).refused).toBe('file-broken')
    expect((await read(zipOf([{ name: 'word/document.xml', content: '<html><p>hello</p></html>' }]))).refused).toBe(
      'file-broken',
    )
  })

  it('never throw on a changed byte', async () => {
    const bytes = docxOf({
      body:
        tableOf([
          ['a', 'b'],
          ['c', 'd'],
        ]) + paragraphOf('hello'),
      styles: '<w:style w:styleId="a"/>',
    })
    for (let index = 0; index < bytes.length; index += 11) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 0xff
      await read(changed)
    }
  })
})

describe('hostile files', () => {
  it('are refused before decompression if they unpack to too much', async () => {
    const bomb = mainPartOf(`<w:body>${paragraphOf('a'.repeat(150 * mebibyte))}</w:body>`)
    expect(bomb.length).toBeLessThan(mebibyte)
    expect(await read(bomb)).toMatchObject({ blocks: [], refused: 'file-too-complex' })
    // Decompressing would meet this damage.
    bomb.fill(0xff, 100, 200)
    expect(await read(bomb)).toMatchObject({ blocks: [], refused: 'file-too-complex' })
  })

  it('cannot define entities', async () => {
    const entities = Array.from(
      { length: 10 },
      (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
    ).join('')
    const bomb = mainPartOf(`<w:body>${paragraphOf('&e10;')}</w:body>`, `<!DOCTYPE a [<!ENTITY e0 "ha">${entities}]>`)
    expect(await read(bomb)).toMatchObject({ blocks: [], refused: 'file-broken' })
    const outside = mainPartOf(
      `<w:body>${paragraphOf('&x;')}</w:body>`,
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    )
    expect(await read(outside)).toMatchObject({ blocks: [], refused: 'file-broken' })
    expect(await read(mainPartOf(`<w:body>${paragraphOf('&x;')}</w:body>`))).toMatchObject({
      blocks: [],
      refused: 'file-broken',
    })
  })

  it('are refused if they nest too deep', async () => {
    const deep = `<w:body>${'<w:tbl><w:tr><w:tc>'.repeat(100_000)}`
    expect((await read(mainPartOf(`${deep}<!--${noiseOf(50_000)}-->`))).refused).toBe('file-too-complex')
    const box = '<w:p><w:r><w:txbxContent>'.repeat(100_000)
    expect((await read(mainPartOf(`${box}<!--${noiseOf(50_000)}-->`))).refused).toBe('file-too-complex')
  })

  it('are refused if a tag has no end', async () => {
    const noise = noiseOf(2.5 * mebibyte)
    expect((await read(mainPartOf(`<w:body w:a="${noise}`))).refused).toBe('file-too-complex')
    expect((await read(mainPartOf(`<w:body><!--${noise}`))).refused).toBe('file-too-complex')
  })

  it('are read in blocks if all text is in one cell or text box', async () => {
    const words = noiseOf(50)
    const all = paragraphOf(`Lamp ${words}`).repeat(30_000) + paragraphOf(noiseOf(200_000))
    const cell = await read(docxOf({ body: tableOf([['before', tableOf([[all]])]]) }))
    expect(cell.refused).toBe(null)
    expect(cell.blocks.length).toBeGreaterThan(30_000)
    expect(cell.blocks[0]).toMatchObject({ text: 'before' })
    const box = await read(docxOf({ body: `<w:p><w:r><w:txbxContent>${all}</w:txbxContent></w:r></w:p>` }))
    expect(box.refused).toBe(null)
    expect(box.blocks.length).toBeGreaterThan(30_000)
  })

  it('cannot repeat notes, merged cells or list markers without limit', async () => {
    const footnotes = `<w:footnote w:id="1">${paragraphOf('n'.repeat(100_000))}</w:footnote>`
    const refer = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    const cell = (merge: string, words: string) =>
      `<w:tc><w:tcPr><w:vMerge${merge}/></w:tcPr>${paragraphOf(words)}</w:tc>`
    const rows = `<w:tr>${cell(' w:val="restart"', 'c'.repeat(50_000))}<w:tc>${paragraphOf('x')}</w:tc></w:tr>${`<w:tr>${cell('', '')}<w:tc>${paragraphOf('x')}</w:tc></w:tr>`.repeat(1_000)}`
    const numbering = `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="${'m'.repeat(50_000)}"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
    const items = paragraphOf('i', '<w:numPr><w:numId w:val="1"/></w:numPr>').repeat(1_000)
    const body = `<w:p>${refer.repeat(1_000)}</w:p><w:tbl>${rows}</w:tbl>${items}`
    const { blocks, refused } = await read(docxOf({ body, footnotes, numbering }))
    expect(refused).toBe(null)
    expect(blocks.reduce((sum, block) => sum + block.text.length, 0)).toBeLessThan(300_000)
  })
})

describe('external references', () => {
  it('are not followed', async () => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const relationships = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
      <Relationship Id="a" Type="${office}/styles" Target="http://127.0.0.1:9/styles.xml" TargetMode="External"/>
      <Relationship Id="b" Type="${office}/footnotes" Target="file:///etc/passwd"/>
      <Relationship Id="c" Type="${office}/numbering" Target="../../../../etc/passwd"/></Relationships>`
    const bytes = docxOf({
      body: paragraphOf('hello'),
      part: 'word/other.xml',
      more: [{ name: 'word/_rels/other.xml.rels', content: relationships }],
    })
    expect(await read(bytes)).toMatchObject({ blocks: [{ text: 'hello' }], refused: null })
  })
})
