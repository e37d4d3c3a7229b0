import { RefusedFile } from '../../format/unreadable-file'

/** Where a structure stands in the stream of tables (before Word 97, in that of the text). */
export interface DocPlace {
  at: number
  size: number
}

/** The start of the stream 'WordDocument' ([MS-DOC] 2.5, the File Information Block). */
export interface DocHeader {
  /** Before Word 97 text is in the code page of its language, and little of its form is read. */
  isOld: boolean
  /** Name of the stream that holds the structures; null where they stand in the text's own. */
  tables: '0Table' | '1Table' | null
  /** As Windows numbers languages. */
  languageId: number
  /** Characters of each story; they stand one behind the other. */
  lengths: Record<Story, number>
  /** Bytes of the text where it stands in one piece. */
  text: DocPlace
  places: Record<Place, DocPlace>
}

type Story = (typeof stories)[number]
type Place = keyof typeof placeIndexes

const stories = ['text', 'footnotes', 'headers', 'macros', 'comments', 'endnotes', 'boxes'] as const

/** Places in FibRgFcLcb97. */
const placeIndexes = {
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

const nowhere: DocPlace = { at: 0, size: 0 }
const newest = 0xa5ec
/** Word 6 and 95. */
const older = 0xa5dc

/** Throws RefusedFile: 'file-encrypted' where the text has a password. */
export function readDocHeader(bytes: Buffer): DocHeader {
  if (bytes.length < 0x200) throw new RefusedFile('file-broken')
  const kind = bytes.readUInt16LE(0)
  if (kind !== newest && kind !== older) throw new RefusedFile('file-broken')
  const flags = bytes.readUInt16LE(0x0a)
  if (flags & 0x0100) throw new RefusedFile('file-encrypted')
  const languageId = bytes.readUInt16LE(0x06)
  if (kind === older) return { isOld: true, tables: null, languageId, ...oldPlaces(bytes, (flags & 0x0004) !== 0) }
  return {
    isOld: false,
    tables: flags & 0x0200 ? '1Table' : '0Table',
    languageId,
    lengths: lengthsFrom(bytes, 0x4c),
    text: nowhere,
    places: newPlaces(bytes),
  }
}

function lengthsFrom(bytes: Buffer, start: number): Record<Story, number> {
  return Object.fromEntries(stories.map((story, at) => [story, bytes.readUInt32LE(start + at * 4)])) as Record<
    Story,
    number
  >
}

function newPlaces(bytes: Buffer): Record<Place, DocPlace> {
  const start = 0x9a
  const count = bytes.readUInt16LE(start - 2)
  const placeOf = (index: number) => {
    const at = start + index * 8
    if (index >= count || at + 8 > bytes.length) return nowhere
    return { at: bytes.readUInt32LE(at), size: bytes.readUInt32LE(at + 4) }
  }
  return Object.fromEntries(Object.entries(placeIndexes).map(([name, index]) => [name, placeOf(index)])) as Record<
    Place,
    DocPlace
  >
}

function oldPlaces(bytes: Buffer, isInPieces: boolean): Pick<DocHeader, 'lengths' | 'text' | 'places'> {
  const places = Object.fromEntries(Object.keys(placeIndexes).map((name) => [name, nowhere])) as Record<Place, DocPlace>
  if (isInPieces) places.pieces = { at: bytes.readUInt32LE(0x160), size: bytes.readUInt32LE(0x164) }
  const [start, end] = [bytes.readUInt32LE(0x18), bytes.readUInt32LE(0x1c)]
  return { lengths: lengthsFrom(bytes, 0x34), text: { at: start, size: Math.max(end - start, 0) }, places }
}
