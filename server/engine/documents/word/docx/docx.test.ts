import { describe, expect, it } from 'vitest'
import { type DocxSource, docxOf, paragraphOf, tableOf } from '../../../../../tests/support/files/docx'
import { linesOf, partsOf } from '../../../../../tests/support/files/file-parts'
import { zipOf } from '../../../../../tests/support/files/zip'
import { readDocx } from './docx'

async function read(source: DocxSource) {
  return partsOf(readDocx, docxOf(source))
}

async function linesIn(body: string, source: Partial<DocxSource> = {}): Promise<string[]> {
  const { blocks, refused } = await read({ body, ...source })
  expect(refused).toBe(null)
  return linesOf(blocks)
}

const run = (content: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr>${content}</w:r>`
const text = (content: string) => run(`<w:t>${content}</w:t>`)
const p = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const style = (id: string, name: string, more = '', type = 'paragraph') =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`

describe('paragraphs and headings', () => {
  it('are read in order, headings by the language-independent names of styles', async () => {
    const styles = [
      style('Titel', 'Title'),
      style('berschrift1', 'heading 1'),
      style('Eigene', 'Mein Stil', '<w:basedOn w:val="berschrift2"/>'),
      style('berschrift2', 'heading 2', '<w:basedOn w:val="berschrift1"/>'),
      style('Circle', 'Circle', '<w:basedOn w:val="Circle"/>'),
    ].join('')
    const named = (id: string) => `<w:pStyle w:val="${id}"/>`
    const body = [
      paragraphOf('Lamps', named('Titel')),
      paragraphOf('Care', named('berschrift1')),
      paragraphOf('Dust them.'),
      paragraphOf('Bulbs', named('Eigene')),
      paragraphOf('Change them.', named('Circle')),
      paragraphOf('Old', '<w:outlineLvl w:val="8"/>'),
      paragraphOf('No heading here', `${named('berschrift1')}<w:outlineLvl w:val="9"/>`),
      paragraphOf('  '),
    ].join('')
    expect(await linesIn(body, { styles })).toEqual([
      'h1: Lamps',
      'h1: Care',
      'paragraph: Dust them.',
      'h2: Bulbs',
      'paragraph: Change them.',
      'h6: Old',
      'paragraph: No heading here',
    ])
  })

  it('do not include the table of contents; quotes are recognized', async () => {
    const styles = style('TOC1', 'toc 1') + style('Zitat', 'Quote')
    const body =
      paragraphOf('Care 3', '<w:pStyle w:val="TOC1"/>') + paragraphOf('So it is.', '<w:pStyle w:val="Zitat"/>')
    expect(await linesIn(body, { styles })).toEqual(['quote: So it is.'])
  })

  it('show breaks, tabs, hyphens and symbols of fonts', async () => {
    const body = p(
      run(
        '<w:t>A</w:t><w:tab/><w:t>B</w:t><w:br/><w:t>C</w:t><w:noBreakHyphen/><w:t>D</w:t><w:softHyphen/><w:t>E </w:t><w:sym w:font="Symbol" w:char="F06D"/><w:t>m</w:t><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Webdings" w:char="F021"/>',
      ) + run('<w:t>\uf061</w:t>', '<w:rFonts w:ascii="Symbol"/>'),
    )
    expect(await linesIn(body)).toEqual(['paragraph: A B\nC-DE μm✓α'])
  })

  it('do not include phonetic text, and show formulas on one line', async () => {
    const ruby = run(
      '<w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby>',
    )
    const math =
      '<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>'
    expect(await linesIn(p(ruby) + p(math))).toEqual(['paragraph: 東', 'paragraph: a/bc^2'])
  })

  it('are split without loss if they are too long', async () => {
    const words = 'lamp '.repeat(40_000)
    const { blocks } = await read({ body: paragraphOf(words) })
    expect(blocks.length).toBeGreaterThan(1)
    expect(Math.max(...blocks.map((block) => block.text.length))).toBeLessThanOrEqual(64 * 1024)
    expect(blocks.map((block) => block.text).join(' ')).toBe(words.trim())
  })
})

describe('invisible text', () => {
  it('is removed: deleted, moved and hidden text, field instructions', async () => {
    const deleted = `<w:del>${run('<w:delText>gone</w:delText><w:t>gone too</w:t>')}</w:del>`
    const moved = `<w:moveFrom>${text('elsewhere')}</w:moveFrom>`
    const hidden = run('<w:t>secret</w:t>', '<w:vanish/>') + run('<w:t>shown</w:t>', '<w:vanish w:val="0"/>')
    const hiddenByStyle = run('<w:t>secret</w:t>', '<w:rStyle w:val="H"/>')
    const was = run('<w:t> was</w:t>', '<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>')
    const styles = style('H', 'Hidden', '<w:rPr><w:vanish/></w:rPr>', 'character')
    const body = p(`<w:ins>${text('new ')}</w:ins>${deleted}${moved}${hidden}${hiddenByStyle}${was}`)
    expect(await linesIn(body, { styles })).toEqual(['paragraph: new shown was'])
  })

  it('does not include results of nested fields', async () => {
    const char = (type: string) => run(`<w:fldChar w:fldCharType="${type}"/>`)
    const inner = `${char('begin')}${run('<w:instrText>PAGE</w:instrText>')}${char('separate')}${text('7')}${char('end')}`
    const link = `${char('begin')}${run('<w:instrText>HYPERLINK "http://x"</w:instrText>')}${inner}${char('separate')}${text('our site')}${char('end')}`
    const simple = `<w:fldSimple w:instr="AUTHOR">${text(' by Ann')}</w:fldSimple>`
    const broken = p(char('begin') + text('lost')) + p(text('found'))
    expect(await linesIn(p(link + simple) + broken)).toEqual(['paragraph: our site by Ann', 'paragraph: found'])
  })

  it('includes deleted paragraph ends, which join paragraphs', async () => {
    const body = p(text('One '), '<w:rPr><w:del w:id="1"/></w:rPr>') + p(text('two.')) + p(text('Three.'))
    expect(await linesIn(body)).toEqual(['paragraph: One two.', 'paragraph: Three.'])
  })

  it('includes all but one alternative of a text box, whose text follows its paragraph', async () => {
    const box = (words: string) => `<w:txbxContent>${paragraphOf(words)}</w:txbxContent>`
    const choice = `<mc:AlternateContent><mc:Choice Requires="wps">${box('In the box')}</mc:Choice><mc:Fallback>${box('In the box')}</mc:Fallback></mc:AlternateContent>`
    expect(await linesIn(p(text('Beside ') + run(choice) + text('it.')))).toEqual([
      'paragraph: Beside it.',
      'paragraph: In the box',
    ])
  })
})

describe('lists', () => {
  const level = (number: number, format: string, mark: string, more = '') =>
    `<w:lvl w:ilvl="${number}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${mark}"/>${more}</w:lvl>`
  const numbering = `
    <w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.', '<w:pStyle w:val="Clause"/>')}${level(1, 'decimal', '%1.%2')}${level(2, 'lowerRoman', '(%3)')}</w:abstractNum>
    <w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '')}${level(1, 'bullet', 'o')}</w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
    <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>`
  const item = (words: string, list: number, depth = 0) =>
    paragraphOf(words, `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`)

  it('are one block each, with visible numbers and indented levels', async () => {
    const body =
      item('Terms', 1) +
      item('Price', 1, 1) +
      item('Taxes', 1, 2) +
      item('Delivery', 1, 1) +
      item('Law', 1) +
      paragraphOf('Then:') +
      item('Lamp', 2) +
      item('Small', 2, 1) +
      item('On', 1) +
      item('Anew', 3) +
      item('None', 0)
    expect(await linesIn(body, { numbering })).toEqual([
      'list: 1. Terms\n  1.1 Price\n    (i) Taxes\n  1.2 Delivery\n2. Law',
      'paragraph: Then:',
      'list: - Lamp\n  - Small\n3. On\n5. Anew',
      'paragraph: None',
    ])
  })

  it('number headings, and are referenced by styles', async () => {
    const styles = style('Clause', 'heading 1', '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    const body =
      paragraphOf('Scope', '<w:pStyle w:val="Clause"/>') + paragraphOf('Liability', '<w:pStyle w:val="Clause"/>')
    expect(await linesIn(body, { numbering, styles })).toEqual(['h1: 1. Scope', 'h1: 2. Liability'])
  })
})

describe('tables', () => {
  it('have one line per row', async () => {
    const body = tableOf([
      ['Lamp', 'Price'],
      ['Small', `${paragraphOf('12')}${paragraphOf('euros')}`],
      ['', ''],
    ])
    expect(await linesIn(body)).toEqual(['table: Lamp | Price\nSmall | 12 euros'])
  })

  it('repeat merged cells in every row, and do not include deleted rows', async () => {
    const cell = (properties: string, words: string) =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraphOf(words)}</w:tc>`
    const row = (cells: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`
    const body = `<w:tbl>${row(cell('<w:gridSpan w:val="2"/>', 'Lamps') + cell('', 'Price'))}${row(cell('', 'Desk') + cell('<w:vMerge w:val="restart"/>', 'new') + cell('', '12'))}${row(cell('', 'Floor') + cell('<w:vMerge/>', '') + cell('', '30'))}${row(cell('', 'Gone') + cell('', 'old') + cell('', '1'), '<w:del/>')}</w:tbl>`
    expect(await linesIn(body)).toEqual(['table: Lamps | Price\nDesk | new | 12\nFloor | new | 30'])
  })

  it('reads tables for layout as the blocks of their cells', async () => {
    const heading = paragraphOf('Lamps', '<w:outlineLvl w:val="0"/>')
    const body =
      tableOf([[heading, 'Left']]) +
      tableOf([[paragraphOf('One') + paragraphOf('Two')], ['Three']]) +
      tableOf([
        [
          'a',
          tableOf([
            ['b', 'c'],
            ['d', 'e'],
          ]),
        ],
        ['f', 'g'],
      ])
    expect(await linesIn(body)).toEqual([
      'h1: Lamps',
      'paragraph: Left',
      'paragraph: One',
      'paragraph: Two',
      'paragraph: Three',
      'paragraph: a',
      'table: b | c\nd | e',
      'paragraph: f',
      'paragraph: g',
    ])
  })

  it('splits long tables, and begins each part with the first row', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => [
      `Lamp ${index}`,
      'costs twenty-nine euros and ninety cents',
    ])
    const { blocks } = await read({ body: tableOf([['Name', 'Price'], ...rows]) })
    expect(blocks.length).toBeGreaterThan(1)
    expect(blocks.every((block) => block.kind === 'table' && block.text.startsWith('Name | Price\nLamp '))).toBe(true)
    const lines = blocks.flatMap((block) => block.text.split('\n').slice(1))
    expect(lines).toEqual(rows.map((row) => row.join(' | ')))
  })
})

describe('notes', () => {
  const note = (kind: string, id: number, words: string, type = '') =>
    `<w:${kind} w:id="${id}"${type}>${p(run(`<w:${kind}Ref/>`) + text(words))}</w:${kind}>`
  const footnotes =
    note('footnote', 0, '-', ' w:type="separator"') +
    note('footnote', 1, 'See page 3.') +
    note('footnote', 2, 'Since 1999.') +
    note('footnote', 3, 'Never read.')
  const endnotes = note('endnote', 1, 'The end.')
  const refer = (kind: string, id: number) => run(`<w:${kind}Reference w:id="${id}"/>`)

  it('follow the block that refers to them, with a marker', async () => {
    const body =
      p(text('Lamps') + refer('footnote', 2) + text(' and light') + refer('endnote', 1) + text('.')) +
      tableOf([[p(text('a') + refer('footnote', 1)), 'b']]) +
      p(text('After') + refer('footnote', 1))
    expect(await linesIn(body, { footnotes, endnotes })).toEqual([
      'paragraph: Lamps[1] and light[i].',
      'paragraph: [1] Since 1999.',
      'paragraph: [i] The end.',
      'table: a[2] | b',
      'paragraph: [2] See page 3.',
      'paragraph: After',
    ])
  })
})

describe('metadata', () => {
  it('includes title, language and dates', async () => {
    const properties =
      '<dc:title>  Our  lamps </dc:title><dcterms:created>2020-01-02T03:04:05Z</dcterms:created><dcterms:modified>2021-01-02T03:04:05Z</dcterms:modified>'
    const styles = '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-AT"/></w:rPr></w:rPrDefault></w:docDefaults>'
    const { facts } = await read({ body: '', properties, styles })
    expect(facts).toEqual({
      title: 'Our lamps',
      language: 'de-at',
      publishedAt: Date.UTC(2020, 0, 2, 3, 4, 5),
      modifiedAt: Date.UTC(2021, 0, 2, 3, 4, 5),
    })
  })

  it('falls back to a first paragraph in the title style', async () => {
    const styles = style('Titel', 'Title') + style('H1', 'heading 1', '<w:basedOn w:val="Titel"/>')
    const named = (text: string, id = 'Titel') => paragraphOf(text, `<w:pStyle w:val="${id}"/>`)
    const titleOf = async (body: string, properties = '') => (await read({ body, styles, properties })).facts?.title
    expect(await titleOf(paragraphOf(' ') + named('Our lamps') + paragraphOf('They hum.'))).toBe('Our lamps')
    expect(await titleOf(named('Our lamps'), '<dc:title>Lamps</dc:title>')).toBe('Lamps')
    expect(await titleOf(paragraphOf('They hum.') + named('Our lamps'))).toBe('')
    expect(await titleOf(named('Care', 'H1'))).toBe('')
  })

  it('is empty if missing or invalid', async () => {
    const { facts } = await read({ body: '', properties: '<dcterms:created>yesterday</dcterms:created>' })
    expect(facts).toEqual({ title: '', language: '', publishedAt: null, modifiedAt: null })
  })
})

describe('variants of the format', () => {
  it('include the strict form, other prefixes, other part names, and UTF-16', async () => {
    const strict = 'http://purl.oclc.org/ooxml/wordprocessingml/main'
    expect(await linesIn(paragraphOf('Strict'), { namespace: strict, part: 'parts/main.xml' })).toEqual([
      'paragraph: Strict',
    ])
    const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    const plain = `<document xmlns="${main}"><body><p><r><t>No prefix</t></r><x xmlns="urn:other"><t>not ours</t></x><r><t>es</t></r></p></body></document>`
    expect(await linesInPart(plain)).toEqual(['paragraph: No prefixes'])
    expect(await linesInPart(Buffer.from(`\ufeff${plain}`, 'utf16le'))).toEqual(['paragraph: No prefixes'])
  })
})

/** Reads a file with nothing but the main part. */
async function linesInPart(content: string | Uint8Array): Promise<string[]> {
  const { blocks } = await partsOf(readDocx, zipOf([{ name: 'word/document.xml', content }]))
  return linesOf(blocks)
}
