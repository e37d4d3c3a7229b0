import { UnreadableFile } from '../../format/unreadable-file'

/** A structure's bytes in the table stream (before Word 97, in the stream WordDocument). */
export interface DocRange {
  at: number
  size: number
}

/** The start of the stream WordDocument ([MS-DOC] 2.5, File Information Block). */
export interface DocHeader {
  /** Whether the file is older than Word 97: its text is in a code page, and hardly any properties are read. */
  isOld: boolean
  /** The stream with the structures; null if they are in the stream WordDocument. */
  tableStream: '0Table' | '1Table' | null
  /** Windows language id (LCID). */
  languageId: number
  /** Characters in each part of the document; the parts follow one another. */
  lengths: Record<Story, number>
  /** Bytes of the text if it is contiguous. */
  text: DocRange
  structures: Record<StructureName, DocRange>
}

type Story = (typeof stories)[number]
type StructureName = keyof typeof structureIndexes

const stories = ['text', 'footnotes', 'headers', 'macros', 'comments', 'endnotes', 'boxes'] as const

/** Indexes in FibRgFcLcb97. */
const structureIndexes = {
  styles: 1,
  footnoteReferences: 2,
  footnoteTexts: 3,
  characterPages: 12,
  paragraphPages: 13,
  fonts: 15,
  pieces: 33,
  endnoteReferences: 46,
  endnoteTexts: 47,
  listForms: 73,
  listUses: 74,
} as const

const emptyRange: DocRange = { at: 0, size: 0 }
const word97 = 0xa5ec
const word6 = 0xa5dc

/** Throws UnreadableFile; 'file-encrypted' if the file has a password. */
export function readDocHeader(bytes: Buffer): DocHeader {
  if (bytes.length < 0x200) throw new UnreadableFile('file-broken')
  const version = bytes.readUInt16LE(0)
  if (version !== word97 && version !== word6) throw new UnreadableFile('file-broken')
  const flags = bytes.readUInt16LE(0x0a)
  if (flags & 0x0100) throw new UnreadableFile('file-encrypted')
  const languageId = bytes.readUInt16LE(0x06)
  if (version === word6)
    return { isOld: true, tableStream: null, languageId, ...oldStructures(bytes, (flags & 0x0004) !== 0) }
  return {
    isOld: false,
    tableStream: flags & 0x0200 ? '1Table' : '0Table',
    languageId,
    lengths: lengthsFrom(bytes, 0x4c),
    text: emptyRange,
    structures: newStructures(bytes),
  }
}

function lengthsFrom(bytes: Buffer, start: number): Record<Story, number> {
  return Object.fromEntries(stories.map((story, index) => [story, bytes.readUInt32LE(start + index * 4)])) as Record<
    Story,
    number
  >
}

function newStructures(bytes: Buffer): Record<StructureName, DocRange> {
  const start = 0x9a
  const count = bytes.readUInt16LE(start - 2)
  const structureAt = (index: number) => {
    const position = start + index * 8
    if (index >= count || position + 8 > bytes.length) return emptyRange
    return { at: bytes.readUInt32LE(position), size: bytes.readUInt32LE(position + 4) }
  }
  return Object.fromEntries(
    Object.entries(structureIndexes).map(([name, index]) => [name, structureAt(index)]),
  ) as Record<StructureName, DocRange>
}

function oldStructures(bytes: Buffer, hasPieceTable: boolean): Pick<DocHeader, 'lengths' | 'text' | 'structures'> {
  const structures = Object.fromEntries(Object.keys(structureIndexes).map((name) => [name, emptyRange])) as Record<
    StructureName,
    DocRange
  >
  if (hasPieceTable) structures.pieces = { at: bytes.readUInt32LE(0x160), size: bytes.readUInt32LE(0x164) }
  const [start, end] = [bytes.readUInt32LE(0x18), bytes.readUInt32LE(0x1c)]
  return { lengths: lengthsFrom(bytes, 0x34), text: { at: start, size: Math.max(end - start, 0) }, structures }
}
