import { decodeAs } from '../../charset/decoders'

/** Document properties of an OLE file ([MS-OLEPS]). */
export interface OleProperties {
  title: string
  /** Time of creation, in milliseconds since 1970. */
  created: number | null
  modified: number | null
}

const propertyIds = { codePage: 1, title: 2, created: 12, modified: 13 }
const valueTypes = { codePageString: 0x1e, unicodeString: 0x1f, fileTime: 0x40 }
/** 1970 as a FILETIME: 100-nanosecond intervals since 1601. */
const unixEpoch = 116_444_736_000_000_000n
const maxTitleLength = 1000

/** Reads the stream '\u0005SummaryInformation'. Damaged properties are skipped. */
export function readOleProperties(bytes: Buffer | null): OleProperties {
  const noProperties = { title: '', created: null, modified: null }
  if (bytes === null) return noProperties
  try {
    const section = bytes.subarray(bytes.readUInt32LE(44))
    const count = Math.min(section.readUInt32LE(4), 100)
    const offsets = new Map<number, number>()
    for (let index = 0; index < count; index++) {
      offsets.set(section.readUInt32LE(8 + index * 8), section.readUInt32LE(12 + index * 8))
    }
    const node = (id: number) => section.subarray(offsets.get(id) ?? section.length)
    const codePage = node(propertyIds.codePage)
    return {
      title: textOf(node(propertyIds.title), codePage.length < 6 ? 1252 : codePage.readUInt16LE(4)),
      created: timeOf(node(propertyIds.created)),
      modified: timeOf(node(propertyIds.modified)),
    }
  } catch {
    return noProperties
  }
}

function textOf(value: Buffer, codePage: number): string {
  if (value.length < 8) return ''
  const type = value.readUInt32LE(0)
  const length = Math.min(value.readUInt32LE(4), maxTitleLength)
  if (type === valueTypes.unicodeString) return clean(value.toString('utf16le', 8, 8 + length * 2))
  return type === valueTypes.codePageString ? clean(decode(value.subarray(8, 8 + length), codePage)) : ''
}

/** Encodings by Windows code page; others are windows-<code page>. */
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
  if (value.length < 12 || value.readUInt32LE(0) !== valueTypes.fileTime) return null
  const time = value.readBigUInt64LE(4)
  // Zero means that the time is not set.
  return time === 0n ? null : Number((time - unixEpoch) / 10_000n)
}
