import { fileLimits } from '../../../limits'
import { RefusedFile } from '../../format/unreadable-file'
import { signOf } from '../symbol-fonts'
import type { DocPlace } from './header'

/** How a stretch of characters looks. */
export interface DocLook {
  hidden: boolean
  /** Deleted, while the deletion waits to be accepted. */
  deleted: boolean
  /** The sign that its one character stands for, where that is of a font of signs. */
  sign: string | null
}

/** What a paragraph says of itself. */
export interface DocForm {
  style: number
  outline?: number
  list?: number
  listLevel?: number
  inTable: boolean
  /** The end of a row, which has no text. */
  endsRow: boolean
  /** Tables that it stands in. */
  depth: number
}

/** Stretches of the bytes of the text, in their order. */
export interface Stretches<Value> {
  /** Of the one that holds a byte; null between them. */
  at(position: number): Value | null
  /** Those that hold any of the bytes. */
  within(from: number, to: number): Generator<Stretch<Value>>
}

export interface Stretch<Value> {
  start: number
  end: number
  value: Value
}

const pageSize = 512
const ordinaryLook: DocLook = { hidden: false, deleted: false, sign: null }

/** Looks of characters ([MS-DOC] 2.9.33, ChpxFkp); those that look like their style are left out. */
export function readDocLooks(place: DocPlace, tables: Buffer, document: Buffer, fonts: string[]): Stretches<DocLook> {
  return readPages(place, tables, document, 1, (page, at) => {
    const start = (page[at] ?? 0) * 2
    if (start === 0) return null
    const look = { ...ordinaryLook }
    eachProperty(page.subarray(start + 1, start + 1 + (page[start] ?? 0)), (code, value) => {
      if (code === 0x0800) look.deleted = value[0] === 1
      // 0x81 is the contrary of the style, whose text is rarely hidden.
      else if (code === 0x083c) look.hidden = value[0] === 1 || value[0] === 0x81
      else if (code === 0x6a09) look.sign = signOf(value.readUInt16LE(2), fonts[value.readUInt16LE(0)] ?? '')
    })
    return look.hidden || look.deleted || look.sign !== null ? look : null
  })
}

/** Names of the fonts ([MS-DOC] 2.9.287, SttbfFfn), by their places. */
export function readDocFonts({ at, size }: DocPlace, tables: Buffer): string[] {
  const list = tables.subarray(at, at + size)
  const names: string[] = []
  for (let place = 4; place < list.length; ) {
    const length = list[place] ?? 0
    const name = list.toString('utf16le', place + 1 + 39, place + 1 + length)
    names.push(name.split('\0', 1)[0] ?? '')
    place += 1 + length
  }
  return names
}

/** Forms of paragraphs ([MS-DOC] 2.9.174, PapxFkp), by the bytes of their text with its end. */
export function readDocForms(place: DocPlace, tables: Buffer, document: Buffer): Stretches<DocForm> {
  return readPages(place, tables, document, 13, (page, at) => {
    const start = (page[at] ?? 0) * 2
    const words = page[start] ?? 0
    const bytes =
      words > 0
        ? page.subarray(start + 1, start + words * 2)
        : page.subarray(start + 2, start + 2 + (page[start + 1] ?? 0) * 2)
    if (start === 0 || bytes.length < 2) return { style: 0, inTable: false, endsRow: false, depth: 0 }
    return formOf(bytes)
  })
}

/** Of the number of a style and the properties behind it. */
export function formOf(bytes: Buffer): DocForm {
  const form: DocForm = { style: bytes.readUInt16LE(0), inTable: false, endsRow: false, depth: 0 }
  eachProperty(bytes.subarray(2), (code, value) => {
    const byte = value[0] ?? 0
    if (code === 0x2640) form.outline = byte
    else if (code === 0x460b) form.list = value.readUInt16LE(0)
    else if (code === 0x260a) form.listLevel = byte
    else if (code === 0x2416) form.inTable = byte !== 0
    else if (code === 0x2417) form.endsRow = byte !== 0
    else if (code === 0x6649) form.depth = value.readInt32LE(0)
  })
  return form
}

/** Calls `take` with each property ([MS-DOC] 2.2.5.1, Sprm) and the bytes of its value. */
function eachProperty(bytes: Buffer, take: (code: number, value: Buffer) => void): void {
  for (let at = 0; at + 2 < bytes.length; ) {
    const code = bytes.readUInt16LE(at)
    at += 2
    const fixed = [1, 1, 2, 4, 2, 2, 0, 3][code >>> 13] ?? 0
    // The definition of a table says its length in two bytes, all others in one.
    const size = fixed || (code === 0xd608 ? (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256 + 1 : (bytes[at] ?? 0) + 1)
    const value = bytes.subarray(at, at + size)
    if (value.length < size) return
    take(code, value)
    at += size
  }
}

function readPages<Value>(
  { at, size }: DocPlace,
  tables: Buffer,
  document: Buffer,
  entrySize: number,
  read: (page: Buffer, at: number) => Value | null,
): Stretches<Value> {
  const list = tables.subarray(at, at + size)
  const count = Math.max(Math.floor((list.length - 4) / 8), 0)
  const numbers = new Set<number>()
  for (let index = 0; index < count; index++) {
    numbers.add(list.readUInt32LE((count + 1) * 4 + index * 4) & 0x3fffff)
  }
  const stretches: Stretch<Value>[] = []
  for (const number of numbers) {
    const page = document.subarray(number * pageSize, (number + 1) * pageSize)
    const runs = page[pageSize - 1] ?? 0
    const entries = (runs + 1) * 4
    if (page.length < pageSize || entries + runs * entrySize >= pageSize) continue
    for (let run = 0; run < runs; run++) {
      const value = read(page, entries + run * entrySize)
      if (value === null) continue
      stretches.push({ start: page.readUInt32LE(run * 4), end: page.readUInt32LE(run * 4 + 4), value })
    }
    if (stretches.length > fileLimits.word.stretches) throw new RefusedFile('file-too-complex')
  }
  return createStretches(stretches.sort((one, other) => one.start - other.start))
}

function createStretches<Value>(stretches: Stretch<Value>[]): Stretches<Value> {
  /** The last that starts at or before a byte. */
  function indexAt(position: number): number {
    let low = 0
    let high = stretches.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((stretches[middle]?.start ?? 0) <= position) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  return {
    at(position) {
      const found = stretches[indexAt(position)]
      return found && position < found.end ? found.value : null
    },
    *within(from, to) {
      for (let index = Math.max(indexAt(from), 0); index < stretches.length; index++) {
        const stretch = stretches[index]
        if (!stretch || stretch.start >= to) return
        if (stretch.end > from) yield stretch
      }
    },
  }
}
