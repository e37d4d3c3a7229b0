import { oleOf } from './ole'

export interface DocSource {
  paragraphs: DocParagraph[]
  /** Built-in style numbers in order; the first is the default style. */
  styles?: { kind: number; base?: number }[]
  /** Further structures, by their index in FibRgFcLcb97. */
  structures?: Record<number, Buffer>
  /** Flags of the header, in addition to that of the table stream. */
  flags?: number
}

interface DocParagraph {
  /** One byte per character, including the paragraph end. */
  text: string
  style?: number
  /** Property modifiers, as bytes. */
  properties?: number[]
  looks?: { from: number; to: number; properties: number[] }[]
}

const pageSize = 512
const pages = { looks: 4, forms: 5 }
const textAt = 6 * pageSize
const structureList = { start: 0x9a, count: 93 }
const index = { styles: 1, looks: 12, forms: 13, pieces: 33 }

/** Builds a Word 97 file with one piece of text. */
export function docOf({ paragraphs, styles = [{ kind: 0 }], structures = {}, flags = 0 }: DocSource): Buffer {
  const text = Buffer.from(paragraphs.map((paragraph) => paragraph.text).join(''), 'latin1')
  const document = Buffer.alloc(textAt + text.length)
  document.writeUInt16LE(0xa5ec, 0)
  document.writeUInt16LE(0x0409, 6)
  document.writeUInt16LE(flags, 0x0a)
  document.writeUInt32LE(text.length, 0x4c)
  document.writeUInt16LE(structureList.count, structureList.start - 2)
  text.copy(document, textAt)
  writePages(document, paragraphs)
  const table = tableOf(document, {
    [index.styles]: styleSheet(styles),
    [index.looks]: pageList(pages.looks, text.length),
    [index.forms]: pageList(pages.forms, text.length),
    [index.pieces]: pieceTable(text.length),
    ...structures,
  })
  return oleOf({ streams: { WordDocument: document, '0Table': table } })
}

/** Builds a Word 6 file: its text is in one code page, and `languageId` is the Windows language id that it claims. */
export function oldDocOf(text: Uint8Array, languageId = 0x0409): Buffer {
  const document = Buffer.alloc(textAt + text.length)
  document.writeUInt16LE(0xa5dc, 0)
  document.writeUInt16LE(languageId, 6)
  document.writeUInt32LE(textAt, 0x18)
  document.writeUInt32LE(textAt + text.length, 0x1c)
  document.writeUInt32LE(text.length, 0x34)
  document.set(text, textAt)
  return oleOf({ streams: { WordDocument: document } })
}

function tableOf(document: Buffer, structures: Record<number, Buffer>): Buffer {
  const parts: Buffer[] = []
  let position = 0
  for (const [structureIndex, bytes] of Object.entries(structures)) {
    document.writeUInt32LE(position, structureList.start + Number(structureIndex) * 8)
    document.writeUInt32LE(bytes.length, structureList.start + Number(structureIndex) * 8 + 4)
    parts.push(bytes)
    position += bytes.length
  }
  return Buffer.concat(parts)
}

function writePages(document: Buffer, paragraphs: DocParagraph[]): void {
  const paragraphRuns: Run[] = []
  const characterRuns: Run[] = []
  let position = textAt
  for (const { text, style = 0, properties = [], looks: own = [] } of paragraphs) {
    const bytes = Buffer.from([style & 0xff, style >>> 8, ...properties])
    const padded = bytes.length % 2 === 0 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes
    paragraphRuns.push({
      from: position,
      to: position + text.length,
      bytes: Buffer.from([(padded.length + 1) / 2, ...padded]),
    })
    for (const { from, to, properties: characterProperties } of own) {
      characterRuns.push({
        from: position + from,
        to: position + to,
        bytes: Buffer.from([characterProperties.length, ...characterProperties]),
      })
    }
    position += text.length
  }
  writePage(document.subarray(pages.forms * pageSize), paragraphRuns, 13)
  writePage(document.subarray(pages.looks * pageSize), characterRuns, 1)
}

interface Run {
  from: number
  to: number
  bytes: Buffer
}

/** Writes the runs from the start of the page, and their properties from its end. Gaps get empty runs. */
function writePage(page: Buffer, runs: Run[], entrySize: number): void {
  const allRuns = runs.flatMap((run, position): Run[] => {
    const before = runs[position - 1]?.to ?? run.from
    return before < run.from ? [{ from: before, to: run.from, bytes: Buffer.alloc(0) }, run] : [run]
  })
  let back = pageSize - 1
  page[back] = allRuns.length
  allRuns.forEach(({ from, to, bytes }, position) => {
    page.writeUInt32LE(from, position * 4)
    page.writeUInt32LE(to, position * 4 + 4)
    if (bytes.length === 0) return
    back = (back - bytes.length) & ~1
    bytes.copy(page, back)
    page[(allRuns.length + 1) * 4 + position * entrySize] = back / 2
  })
}

function pageList(page: number, length: number): Buffer {
  return numbers(textAt, textAt + length, page)
}

function pieceTable(length: number): Buffer {
  const piece = Buffer.alloc(8)
  piece.writeUInt32LE((textAt * 2) | 0x40000000, 2)
  const list = Buffer.concat([numbers(0, length), piece])
  return Buffer.concat([Buffer.from([2]), numbers(list.length), list])
}

function styleSheet(styles: { kind: number; base?: number }[]): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt16LE(4, 0)
  head.writeUInt16LE(styles.length, 2)
  head.writeUInt16LE(10, 4)
  const listed = styles.map(({ kind, base = 0xfff }) => {
    const style = Buffer.alloc(2 + 16)
    style.writeUInt16LE(16, 0)
    style.writeUInt16LE(kind, 2)
    style.writeUInt16LE((base << 4) | 1, 4)
    style.writeUInt16LE(1, 12)
    style.write('S', 14, 'utf16le')
    return style
  })
  return Buffer.concat([head, ...listed])
}

function numbers(...values: number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer)
}
