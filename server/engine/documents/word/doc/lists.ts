import { fileLimits } from '../../../limits'
import { UnreadableFile } from '../../format/unreadable-file'
import {
  createNumbering,
  type ListDefinition,
  type ListInstance,
  type ListLevel,
  levelCount,
  maxMarkerLength,
  noNumbering,
  type WordNumbering,
} from '../numbering'
import type { WordStyles } from '../styles'
import type { DocRange } from './header'

const definitionBytes = 28
const instanceBytes = 16

/** Number formats ([MS-OSHARED] 2.2.1.3, MSONFC); any other is decimal. */
const formats = new Map([
  [1, 'upperRoman'],
  [2, 'lowerRoman'],
  [3, 'upperLetter'],
  [4, 'lowerLetter'],
  [22, 'decimalZero'],
  [23, 'bullet'],
  [255, 'none'],
])

/** Reads the numbering of lists ([MS-DOC] 2.9.194, PlfLst, and 2.9.192, PlfLfo). */
export function readDocLists(
  definitions: DocRange,
  instances: DocRange,
  tables: Buffer,
  styles: WordStyles,
): WordNumbering {
  if (definitions.size < 2 || instances.size < 4) return noNumbering
  return createNumbering(readDefinitions(tables, definitions.at), readInstances(tables, instances.at), styles)
}

function readDefinitions(tables: Buffer, position: number): Map<string, ListDefinition> {
  const count = checkedCount(tables.readUInt16LE(position))
  const definitions = new Map<string, ListDefinition>()
  let offset = position + 2 + count * definitionBytes
  for (let index = 0; index < count; index++) {
    const definition = tables.subarray(
      position + 2 + index * definitionBytes,
      position + 2 + (index + 1) * definitionBytes,
    )
    const levels: ListLevel[] = []
    const isSimple = (definition.readUInt8(26) & 1) !== 0
    for (let level = 0; level < (isSimple ? 1 : levelCount); level++) {
      const read = readLevel(tables, offset)
      levels.push(read.level)
      offset = read.end
    }
    definitions.set(String(definition.readInt32LE(0)), { levels, link: null })
  }
  return definitions
}

function readLevel(tables: Buffer, index: number): { level: ListLevel; end: number } {
  const properties = tables.readUInt8(index + 24) + tables.readUInt8(index + 25)
  const textAt = index + definitionBytes + properties
  const length = tables.readUInt16LE(textAt)
  const end = textAt + 2 + length * 2
  const characters = tables.toString('utf16le', textAt + 2, Math.min(end, textAt + 2 + maxMarkerLength * 2))
  // Characters below nine are placeholders for the numbers of levels.
  const text = Array.from(characters, (character) => {
    const code = character.charCodeAt(0)
    return code < levelCount ? `%${code + 1}` : character
  }).join('')
  const format = formats.get(tables.readUInt8(index + 4)) ?? 'decimal'
  const legal = (tables.readUInt8(index + 5) & 4) !== 0
  return { level: { start: tables.readInt32LE(index), format, text, legal, style: '' }, end }
}

function readInstances(tables: Buffer, position: number): Map<string, ListInstance> {
  const count = checkedCount(tables.readUInt32LE(position))
  const instances = new Map<string, ListInstance>()
  let offset = position + 4 + count * instanceBytes
  for (let index = 0; index < count; index++) {
    const start = position + 4 + index * instanceBytes
    const instance: ListInstance = { definition: String(tables.readInt32LE(start)), starts: [], levels: [] }
    instances.set(String(index + 1), instance)
    const overrides = tables.readUInt8(start + 12)
    offset += 4
    for (let override = 0; override < overrides; override++) {
      const flags = tables.readUInt32LE(offset + 4)
      const level = Math.min(flags & 0xf, levelCount - 1)
      if (flags & 0x10) instance.starts[level] = tables.readInt32LE(offset)
      offset += 8
      if (flags & 0x20) {
        const read = readLevel(tables, offset)
        instance.levels[level] = read.level
        offset = read.end
      }
    }
  }
  return instances
}

function checkedCount(count: number): number {
  if (count > fileLimits.word.definitions) throw new UnreadableFile('file-too-complex')
  return count
}
