import { fileLimits } from '../../../limits'
import { RefusedFile } from '../../format/unreadable-file'
import {
  createNumbering,
  type ListForm,
  type ListLevel,
  type ListUse,
  levelCount,
  longestMark,
  noNumbering,
  type WordNumbering,
} from '../numbering'
import type { WordStyles } from '../styles'
import type { DocPlace } from './header'

const formSize = 28
const useSize = 16

/** Kinds of numbers ([MS-OSHARED] 2.2.1.3, MSONFC); others are written in figures. */
const formats = new Map([
  [1, 'upperRoman'],
  [2, 'lowerRoman'],
  [3, 'upperLetter'],
  [4, 'lowerLetter'],
  [22, 'decimalZero'],
  [23, 'bullet'],
  [255, 'none'],
])

/** Reads how lists are numbered ([MS-DOC] 2.9.194, PlfLst, and 2.9.192, PlfLfo). */
export function readDocLists(forms: DocPlace, uses: DocPlace, tables: Buffer, styles: WordStyles): WordNumbering {
  if (forms.size < 2 || uses.size < 4) return noNumbering
  return createNumbering(readForms(tables, forms.at), readUses(tables, uses.at), styles)
}

function readForms(tables: Buffer, at: number): Map<string, ListForm> {
  const count = checked(tables.readUInt16LE(at))
  const forms = new Map<string, ListForm>()
  let place = at + 2 + count * formSize
  for (let index = 0; index < count; index++) {
    const form = tables.subarray(at + 2 + index * formSize, at + 2 + (index + 1) * formSize)
    const levels: ListLevel[] = []
    const isSimple = (form.readUInt8(26) & 1) !== 0
    for (let level = 0; level < (isSimple ? 1 : levelCount); level++) {
      const read = readLevel(tables, place)
      levels.push(read.level)
      place = read.end
    }
    forms.set(String(form.readInt32LE(0)), { levels, link: null })
  }
  return forms
}

function readLevel(tables: Buffer, at: number): { level: ListLevel; end: number } {
  const properties = tables.readUInt8(at + 24) + tables.readUInt8(at + 25)
  const textAt = at + formSize + properties
  const length = tables.readUInt16LE(textAt)
  const end = textAt + 2 + length * 2
  const characters = tables.toString('utf16le', textAt + 2, Math.min(end, textAt + 2 + longestMark * 2))
  // The numbers of levels stand for themselves.
  const text = Array.from(characters, (character) => {
    const code = character.charCodeAt(0)
    return code < levelCount ? `%${code + 1}` : character
  }).join('')
  const format = formats.get(tables.readUInt8(at + 4)) ?? 'decimal'
  const legal = (tables.readUInt8(at + 5) & 4) !== 0
  return { level: { start: tables.readInt32LE(at), format, text, legal, style: '' }, end }
}

function readUses(tables: Buffer, at: number): Map<string, ListUse> {
  const count = checked(tables.readUInt32LE(at))
  const uses = new Map<string, ListUse>()
  let place = at + 4 + count * useSize
  for (let index = 0; index < count; index++) {
    const start = at + 4 + index * useSize
    const use: ListUse = { list: String(tables.readInt32LE(start)), starts: [], levels: [] }
    uses.set(String(index + 1), use)
    const changes = tables.readUInt8(start + 12)
    place += 4
    for (let change = 0; change < changes; change++) {
      const flags = tables.readUInt32LE(place + 4)
      const level = Math.min(flags & 0xf, levelCount - 1)
      if (flags & 0x10) use.starts[level] = tables.readInt32LE(place)
      place += 8
      if (flags & 0x20) {
        const read = readLevel(tables, place)
        use.levels[level] = read.level
        place = read.end
      }
    }
  }
  return uses
}

function checked(count: number): number {
  if (count > fileLimits.word.definitions) throw new RefusedFile('file-too-complex')
  return count
}
