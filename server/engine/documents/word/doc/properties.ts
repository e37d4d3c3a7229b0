import { fileLimits } from '../../../limits'
import { UnreadableFile } from '../../format/unreadable-file'
import { symbolOf } from '../symbol-fonts'
import type { DocRange } from './header'

/** Properties of a run of characters. */
export interface CharacterProperties {
  hidden: boolean
  /** A tracked deletion. */
  deleted: boolean
  /** The symbol of its single character, if that is in a symbol font. */
  symbol: string | null
}

/** Properties that a paragraph sets itself. */
export interface ParagraphProperties {
  style: number
  outline?: number
  list?: number
  listLevel?: number
  inTable: boolean
  /** The mark at the end of a row, which has no text. */
  endsRow: boolean
  /** Nesting depth of tables. */
  depth: number
}

/** Runs of bytes of the text with their properties, in order. */
export interface PropertyRuns<Value> {
  /** Returns the value of the run with a byte; null between runs. */
  at(position: number): Value | null
  /** Yields the runs that overlap a range. */
  overlapping(from: number, to: number): Generator<PropertyRun<Value>>
}

export interface PropertyRun<Value> {
  start: number
  end: number
  value: Value
}

const pageSize = 512
const defaultProperties: CharacterProperties = { hidden: false, deleted: false, symbol: null }

/** Reads the character properties ([MS-DOC] 2.9.33, ChpxFkp), without runs that only have those of their style. */
export function readCharacterProperties(
  structure: DocRange,
  tables: Buffer,
  document: Buffer,
  fonts: string[],
): PropertyRuns<CharacterProperties> {
  return readPages(structure, tables, document, 1, (page, index) => {
    const start = (page[index] ?? 0) * 2
    if (start === 0) return null
    const properties = { ...defaultProperties }
    eachProperty(page.subarray(start + 1, start + 1 + (page[start] ?? 0)), (code, value) => {
      if (code === 0x0800) properties.deleted = value[0] === 1
      // 0x81 inverts the style, which is rarely hidden itself.
      else if (code === 0x083c) properties.hidden = value[0] === 1 || value[0] === 0x81
      else if (code === 0x6a09) properties.symbol = symbolOf(value.readUInt16LE(2), fonts[value.readUInt16LE(0)] ?? '')
    })
    return properties.hidden || properties.deleted || properties.symbol !== null ? properties : null
  })
}

/** Reads the names of fonts by index ([MS-DOC] 2.9.287, SttbfFfn). */
export function readDocFonts({ at, size }: DocRange, tables: Buffer): string[] {
  const list = tables.subarray(at, at + size)
  const names: string[] = []
  for (let offset = 4; offset < list.length; ) {
    const length = list[offset] ?? 0
    const name = list.toString('utf16le', offset + 1 + 39, offset + 1 + length)
    names.push(name.split('\0', 1)[0] ?? '')
    offset += 1 + length
  }
  return names
}

/** Reads the paragraph properties ([MS-DOC] 2.9.174, PapxFkp), by the bytes of each paragraph with its end. */
export function readParagraphProperties(
  structure: DocRange,
  tables: Buffer,
  document: Buffer,
): PropertyRuns<ParagraphProperties> {
  return readPages(structure, tables, document, 13, (page, index) => {
    const start = (page[index] ?? 0) * 2
    const wordCount = page[start] ?? 0
    const bytes =
      wordCount > 0
        ? page.subarray(start + 1, start + wordCount * 2)
        : page.subarray(start + 2, start + 2 + (page[start + 1] ?? 0) * 2)
    if (start === 0 || bytes.length < 2) return { style: 0, inTable: false, endsRow: false, depth: 0 }
    return parseParagraphProperties(bytes)
  })
}

/** Parses the number of a style and the properties after it. */
export function parseParagraphProperties(bytes: Buffer): ParagraphProperties {
  const properties: ParagraphProperties = { style: bytes.readUInt16LE(0), inTable: false, endsRow: false, depth: 0 }
  eachProperty(bytes.subarray(2), (code, value) => {
    const byte = value[0] ?? 0
    if (code === 0x2640) properties.outline = byte
    else if (code === 0x460b) properties.list = value.readUInt16LE(0)
    else if (code === 0x260a) properties.listLevel = byte
    else if (code === 0x2416) properties.inTable = byte !== 0
    else if (code === 0x2417) properties.endsRow = byte !== 0
    else if (code === 0x6649) properties.depth = value.readInt32LE(0)
  })
  return properties
}

/** Calls `visit` with each property ([MS-DOC] 2.2.5.1, Sprm) and the bytes of its value. */
function eachProperty(bytes: Buffer, visit: (code: number, value: Buffer) => void): void {
  for (let index = 0; index + 2 < bytes.length; ) {
    const code = bytes.readUInt16LE(index)
    index += 2
    const fixed = [1, 1, 2, 4, 2, 2, 0, 3][code >>> 13] ?? 0
    // A table definition has a length of two bytes, any other property of one.
    const size =
      fixed || (code === 0xd608 ? (bytes[index] ?? 0) + (bytes[index + 1] ?? 0) * 256 + 1 : (bytes[index] ?? 0) + 1)
    const value = bytes.subarray(index, index + size)
    if (value.length < size) return
    visit(code, value)
    index += size
  }
}

function readPages<Value>(
  { at, size }: DocRange,
  tables: Buffer,
  document: Buffer,
  entrySize: number,
  read: (page: Buffer, index: number) => Value | null,
): PropertyRuns<Value> {
  const list = tables.subarray(at, at + size)
  const pageCount = Math.max(Math.floor((list.length - 4) / 8), 0)
  const numbers = new Set<number>()
  for (let index = 0; index < pageCount; index++) {
    numbers.add(list.readUInt32LE((pageCount + 1) * 4 + index * 4) & 0x3fffff)
  }
  const runs: PropertyRun<Value>[] = []
  for (const number of numbers) {
    const page = document.subarray(number * pageSize, (number + 1) * pageSize)
    const count = page[pageSize - 1] ?? 0
    const entries = (count + 1) * 4
    if (page.length < pageSize || entries + count * entrySize >= pageSize) continue
    for (let run = 0; run < count; run++) {
      const value = read(page, entries + run * entrySize)
      if (value === null) continue
      runs.push({ start: page.readUInt32LE(run * 4), end: page.readUInt32LE(run * 4 + 4), value })
    }
    if (runs.length > fileLimits.word.propertyRuns) throw new UnreadableFile('file-too-complex')
  }
  return createPropertyRuns(runs.sort((first, second) => first.start - second.start))
}

function createPropertyRuns<Value>(runs: PropertyRun<Value>[]): PropertyRuns<Value> {
  /** Returns the index of the last run that starts at or before a byte. */
  function indexAt(position: number): number {
    let low = 0
    let high = runs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((runs[middle]?.start ?? 0) <= position) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  return {
    at(position) {
      const found = runs[indexAt(position)]
      return found && position < found.end ? found.value : null
    },
    *overlapping(from, to) {
      for (let index = Math.max(indexAt(from), 0); index < runs.length; index++) {
        const run = runs[index]
        if (!run || run.start >= to) return
        if (run.end > from) yield run
      }
    },
  }
}
