import { type BookType, CFB, utils, type WorkBook, type WorkSheet, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { blocksIn, sequenceOf } from '../../../../tests/support/files/file-parts'
import { zipOf } from '../../../../tests/support/files/zip'
import { readSheet } from './sheet'

const partsOf = (content: Uint8Array) => sequenceOf(readSheet, content)
const blocksOf = async (content: Uint8Array) => blocksIn(await partsOf(content))

async function rowsOf(content: Uint8Array): Promise<[string | null, string][]> {
  const rows = (await blocksOf(content)).filter((block) => block.kind !== 'heading' && !('standalone' in block))
  return rows.map(({ anchor, text }) => [anchor, text])
}

type Rows = (string | number | boolean | Date | null)[][]

function bookOf(
  sheets: Record<string, Rows>,
  change?: (sheets: Record<string, WorkSheet>, book: WorkBook) => void,
): WorkBook {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  book.Workbook = { Sheets: Object.keys(sheets).map(() => ({})) }
  change?.(book.Sheets, book)
  return book
}

function bytesOf(book: WorkBook, bookType: BookType): Buffer {
  return write(book, { type: 'buffer', bookType, cellStyles: true }) as Buffer
}

const prices: Rows = [
  ['Product', 'Price', 'Stock'],
  ['Lamp', 12, 3],
  ['Chair', 45.5, 0],
]

describe.each(['xlsx', 'biff8'] as const)('readSheet (%s)', (type) => {
  it('reads row by row, with the names of the columns and a summary', async () => {
    expect(await blocksOf(bytesOf(bookOf({ 'Our prices': prices }), type))).toEqual([
      { kind: 'heading', level: 1, text: 'Our prices', anchor: 'sheet=Our%20prices' },
      { kind: 'paragraph', text: 'Product: Lamp; Price: 12; Stock: 3', anchor: 'sheet=Our%20prices&row=2' },
      { kind: 'paragraph', text: 'Product: Chair; Price: 45.5; Stock: 0', anchor: 'sheet=Our%20prices&row=3' },
      {
        kind: 'table',
        text: 'Summary of the table Our prices: 2 rows, 3 columns. Columns: Product (text); Price (number, 12 to 45.5); Stock (number, 0 to 3).',
        anchor: 'sheet=Our%20prices',
        standalone: true,
      },
    ])
  })

  it('formats cells as a person sees them', async () => {
    const book = bookOf(
      { Sheet1: [['What', 'Value'], ...Array.from({ length: 8 }, () => ['x', 0.5])] },
      ({ Sheet1 }) => {
        const set = (place: string, cell: object) => Object.assign(Sheet1?.[place] ?? {}, cell)
        set('B2', { z: '0%' })
        set('B3', { v: 1234.5, z: '#,##0.00" EUR"' })
        set('B4', { v: 45_000, z: 'm/d/yy' })
        set('B5', { v: 45_000.5, z: 'dd.mm.yyyy hh:mm' })
        set('B6', { v: 4_006_381_333_931 })
        set('B7', { t: 'b', v: true })
        set('B8', { t: 'e', v: 42 })
        set('B9', { t: 's', v: '1.5' })
      },
    )
    const rows = await rowsOf(bytesOf(book, type))
    expect(rows.map(([, text]) => text.replace('What: x; Value: ', ''))).toEqual([
      '50%',
      '1,234.50 EUR',
      '2023-03-15',
      '15.03.2023 12:00',
      '4006381333931',
      'TRUE',
      'What: x',
      '1.5',
    ])
  })

  it('adds no heading for a single sheet with a default name', async () => {
    const headings = async (book: WorkBook) =>
      (await blocksOf(bytesOf(book, type))).filter(({ kind }) => kind === 'heading').map(({ text }) => text)
    expect(await headings(bookOf({ Tabelle1: prices }))).toEqual([])
    expect(await headings(bookOf({ Sheet1: prices, Sheet2: [], Sheet3: prices }))).toEqual(['Sheet1', 'Sheet3'])
  })

  it('skips hidden sheets, rows and columns, and counts them in the summary', async () => {
    const book = bookOf(
      { Prices: [...prices, ['Desk', 80, 1], ['Sofa', 300, 1]], Margins: prices },
      ({ Prices }, { Workbook }) => {
        Object.assign(Workbook?.Sheets?.[1] ?? {}, { Hidden: 1 })
        Object.assign(Prices ?? {}, {
          '!rows': [{}, {}, { hidden: true }, {}, { hidden: true, level: 1 }],
          '!cols': [{}, {}, { hidden: true }],
        })
      },
    )
    const blocks = await blocksOf(bytesOf(book, type))
    // SheetJS does not write hidden rows to the old format.
    const chair = type === 'xlsx' ? [] : ['Product: Chair; Price: 45.5']
    expect(blocks.slice(1, -1).map(({ text }) => text)).toEqual([
      'Product: Lamp; Price: 12',
      ...chair,
      'Product: Desk; Price: 80',
      'Product: Sofa; Price: 300',
    ])
    expect(blocks.at(-1)?.text).toMatch(
      type === 'xlsx'
        ? /3 rows, 2 columns\. Left out: 1 hidden row and 1 hidden column\./
        : /Left out: 1 hidden column\./,
    )
  })

  it('reads merged cells in every row and column that they cover', async () => {
    const rows: Rows = [
      ['Prices of the year', null, null],
      ['Room', 'Price', null],
      [null, 'Day', 'Week'],
      ['Sea', 50, 300],
      [null, 60, 350],
    ]
    const book = bookOf({ Sheet1: rows }, ({ Sheet1 }) => {
      Object.assign(Sheet1 ?? {}, {
        '!merges': ['A1:C1', 'A2:A3', 'B2:C2', 'A4:A5'].map((range) => utils.decode_range(range)),
      })
    })
    expect((await rowsOf(bytesOf(book, type))).map(([, text]) => text)).toEqual([
      'Prices of the year',
      'Room: Sea; Price Day: 50; Price Week: 300',
      'Room: Sea; Price Day: 60; Price Week: 350',
    ])
  })

  it('reads values without names of columns', async () => {
    const form: Rows = [
      ['Principal', 1000],
      ['Rate:', 0.5],
      ['a', 'b', 3],
      [1, 2, 3],
    ]
    expect((await rowsOf(bytesOf(bookOf({ Sheet1: form }), type))).map(([, text]) => text)).toEqual([
      'Principal: 1000',
      'Rate: 0.5',
      'a; b; 3',
      '1; 2; 3',
    ])
  })

  it('refuses a workbook without cells', async () => {
    expect((await partsOf(bytesOf(bookOf({ Sheet1: [] }), type))).at(-1)).toEqual({
      kind: 'refused',
      reason: 'file-empty',
    })
  })

  it('refuses truncated files, and never throws on damaged ones', async () => {
    const bytes = bytesOf(bookOf({ Sheet1: prices, Sheet2: prices }), type)
    for (let index = 1; index < 20; index++) {
      const cut = (await partsOf(bytes.subarray(0, Math.floor((bytes.length * index) / 20)))).at(-1)
      expect(cut?.kind === 'refused' || type === 'biff8').toBe(true)
      const changed = Buffer.from(bytes)
      for (let byte = index * 7; byte < changed.length; byte += 97)
        changed[byte] = (changed[byte] ?? 0) ^ (1 << (index % 8))
      expect((await partsOf(changed)).length).toBeGreaterThan(0)
    }
  })
})

describe('records of an old sheet', () => {
  /** Type of record, and bytes up to the length of its text: a cell and a format of Excel 2 and 5. */
  it.each([
    ['biff2', 0x0004, 7],
    ['biff2', 0x001e, 0],
    ['biff5', 0x0204, 7],
    ['biff5', 0x041e, 1],
  ] as const)('are skipped if too short for their text: %s', async (type, kind, length) => {
    const book = bytesOf(bookOf({ Sheet1: prices }), type)
    const stream = type === 'biff5' ? CFB.find(CFB.read(book, { type: 'buffer' }), 'Book')?.content : book
    const records: Buffer[] = []
    let rest = Buffer.from(stream ?? [])
    for (; rest.length >= 4; rest = rest.subarray(4 + rest.readUInt16LE(2))) {
      const isCut = rest.readUInt16LE(0) === kind
      const record = Buffer.from(rest.subarray(0, 4 + (isCut ? length : rest.readUInt16LE(2))))
      if (isCut) record.writeUInt16LE(length, 2)
      records.push(record)
    }
    expect(JSON.stringify(await partsOf(Buffer.concat(records)))).toMatch(type === 'biff2' ? /45.5/ : /refused|45.5/)
  })
})

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Builds a workbook of one sheet from XML. */
function xlsxOf(sheet: string, others: Record<string, string> = {}): Buffer {
  const parts: Record<string, string> = {
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="${types}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="S&amp;T" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="a" Type="${types}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet,
    ...others,
  }
  return Buffer.from(zipOf(Object.entries(parts).map(([name, content]) => ({ name, content }))))
}

const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const first = '<c t="inlineStr"><is><t>one</t></is></c>'

describe('readSheet (hand-written xlsx)', () => {
  it('reads a single far cell without all cells before it', async () => {
    const far = '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'
    const sheet = `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${far}</sheetData></worksheet>`
    expect(await rowsOf(xlsxOf(sheet))).toEqual([['sheet=S%26T&row=1048576', '7']])
  })

  it('reads rich text without phonetic text, and results of formulas', async () => {
    const strings = '<sst><si><r><t>bo</t></r><r><t xml:space="preserve">ld </t></r><rPh><t>x</t></rPh></si></sst>'
    const cells = `<row><c t="s"><v>0</v></c><c><f>[1]other!A1</f><v>5</v></c><c t="str"><f>A1</f><v>a&#10;b</v></c><c t="s"><v>9</v></c></row>`
    expect(await rowsOf(xlsxOf(sheetOf(cells), { 'xl/sharedStrings.xml': strings }))).toEqual([
      ['sheet=S%26T&row=1', 'bold; 5; a b'],
    ])
  })

  it('notes a truncated cell', async () => {
    const notesIn = async (content: Buffer) => (await partsOf(content)).filter(({ kind }) => kind === 'note')
    const shared = (text: string) =>
      xlsxOf(sheetOf(`<row>${first}<c t="s"><v>0</v></c></row>`), {
        'xl/sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>`,
      })
    const inline = (text: string) => xlsxOf(sheetOf(`<row>${first}<c t="inlineStr"><is><t>${text}</t></is></c></row>`))
    for (const bookOf of [shared, inline]) {
      expect(await notesIn(bookOf('x'.repeat(32_767)))).toEqual([])
      expect(await notesIn(bookOf('x'.repeat(32_768)))).toEqual([{ kind: 'note', reason: 'file-shortened' }])
    }
  })

  it('expands no custom entities', async () => {
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    const rows = await rowsOf(xlsxOf(`${bomb}${sheetOf(`<row>${first}<c t="str"><v>&b;&c;</v></c></row>`)}`))
    expect(rows[0]?.[1]).toMatch(/^one(?: \| &b;&c;)?$/)
  })

  it('keeps filtered rows', async () => {
    const rows = `<row r="1">${first}</row><row r="2" hidden="1">${first}</row><row r="3" hidden="1">${first}</row>`
    const filter = '<autoFilter ref="A1:A2"><filterColumn colId="0"/></autoFilter>'
    const sheet = `<worksheet><sheetData>${rows}</sheetData>${filter}</worksheet>`
    expect((await rowsOf(xlsxOf(sheet))).map(([anchor]) => anchor)).toEqual(['sheet=S%26T&row=1', 'sheet=S%26T&row=2'])
  })

  it('reads while decompressing, and reports progress', async () => {
    const row = (position: number) =>
      `<row r="${position}"><c r="A${position}"><v>${position}</v></c>${`<c><v>${position}.123456</v></c>`.repeat(10)}</row>`
    const sheet = sheetOf(Array.from({ length: 10_000 }, (_, index) => row(index + 1)).join(''))
    const parts = await partsOf(xlsxOf(sheet))
    const progress = parts.filter((part) => part.kind === 'progress')
    expect(progress.length).toBeGreaterThan(20)
    expect(progress.at(-1)).toEqual({ kind: 'progress', done: sheet.length, total: sheet.length })
  })

  it.each([
    ['a zip bomb', xlsxOf(sheetOf(`<row>${first}</row>${' '.repeat(30_000_000)}`)), 'file-too-complex'],
    ['deep nesting', xlsxOf('<a>'.repeat(10_000)), 'file-too-complex'],
    ['invalid XML', xlsxOf('<<<<>>>>&&&&<c a=<<'.repeat(200)), 'file-broken'],
    ['a Word document', zipOf([{ name: 'word/document.xml', content: '<x/>' }]), 'file-mismatch'],
    ['an empty archive', zipOf([{ name: 'a', content: '' }]), 'file-broken'],
    ['a text file', Buffer.from('Product,Price\nLamp,12'), 'file-broken'],
    ['an empty file', Buffer.alloc(0), 'file-empty'],
    ['a truncated OLE file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'file-broken'],
  ])('refuses %s', async (_name, bytes, reason) => {
    expect((await partsOf(bytes)).at(-1)).toEqual({ kind: 'refused', reason })
  })

  it.each([
    ['truncated references', '1700'],
    ['more references than memory holds', '17000200ffff0a000000'],
    ['colors that are not an archive', `9608${'1400'}9608${'00'.repeat(14)}504b03040a000000`],
  ])('refuses records with %s', async (_name, behind) => {
    const records = Buffer.from(`09081000000605000000000000000000060000000000${behind}`, 'hex')
    expect((await partsOf(records)).at(-1)?.kind).toBe('refused')
  })

  it('refuses encrypted files', async () => {
    const container = CFB.utils.cfb_new()
    const information = Buffer.concat([Buffer.from('0400040040000000', 'hex'), Buffer.from('<encryption/>')])
    CFB.utils.cfb_add(container, '/EncryptionInfo', information)
    CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(64))
    const encrypted = { kind: 'refused', reason: 'file-encrypted' }
    expect((await partsOf(CFB.write(container, { type: 'buffer' }) as Buffer)).at(-1)).toEqual(encrypted)
    // The start of an Excel 95 workbook, and the record that marks encryption.
    const records = Buffer.from('0908080000050500000000002f000400aabbccdd0a000000', 'hex')
    expect((await partsOf(records)).at(-1)).toEqual(encrypted)
  })
})
