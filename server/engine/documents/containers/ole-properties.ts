import { decodeAs } from '../../charset/decoders'

/** What a file of older Office programs says of itself ([MS-OLEPS]). */
export interface OleProperties {
  title: string
  /** In milliseconds since 1970. */
  created: number | null
  modified: number | null
}

const ids = { codePage: 1, title: 2, created: 12, modified: 13 }
const kinds = { narrow: 0x1e, wide: 0x1f, time: 0x40 }
/** Of 100 nanoseconds, between 1601 and 1970. */
const epoch = 116_444_736_000_000_000n
const longestTitle = 1000

/** Reads the stream '\u0005SummaryInformation'; what is damaged in it is left out. */
export function readOleProperties(bytes: Buffer | null): OleProperties {
  const nothing = { title: '', created: null, modified: null }
  if (bytes === null) return nothing
  try {
    const section = bytes.subarray(bytes.readUInt32LE(44))
    const count = Math.min(section.readUInt32LE(4), 100)
    const places = new Map<number, number>()
    for (let index = 0; index < count; index++) {
      places.set(section.readUInt32LE(8 + index * 8), section.readUInt32LE(12 + index * 8))
    }
    const at = (id: number) => section.subarray(places.get(id) ?? section.length)
    const codePage = at(ids.codePage)
    return {
      title: textOf(at(ids.title), codePage.length < 6 ? 1252 : codePage.readUInt16LE(4)),
      created: timeOf(at(ids.created)),
      modified: timeOf(at(ids.modified)),
    }
  } catch {
    return nothing
  }
}

function textOf(value: Buffer, codePage: number): string {
  if (value.length < 8) return ''
  const kind = value.readUInt32LE(0)
  const length = Math.min(value.readUInt32LE(4), longestTitle)
  if (kind === kinds.wide) return clean(value.toString('utf16le', 8, 8 + length * 2))
  return kind === kinds.narrow ? clean(decode(value.subarray(8, 8 + length), codePage)) : ''
}

/** By the numbers of Windows; others are in the encoding of their number. */
const encodings = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [65001, 'utf-8'],
])

function decode(bytes: Buffer, codePage: number): string {
  try {
    return decodeAs(encodings.get(codePage) ?? `windows-${codePage}`, bytes)
  } catch {
    return decodeAs('windows-1252', bytes)
  }
}

function clean(text: string): string {
  return (text.split('\0', 1)[0] ?? '').replace(/\s+/g, ' ').trim()
}

function timeOf(value: Buffer): number | null {
  if (value.length < 12 || value.readUInt32LE(0) !== kinds.time) return null
  const time = value.readBigUInt64LE(4)
  // Zero stands for none.
  return time === 0n ? null : Number((time - epoch) / 10_000n)
}
