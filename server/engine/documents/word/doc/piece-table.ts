import { decodeAs } from '../../../charset/decoders'
import { UnreadableFile } from '../../format/unreadable-file'
import type { DocHeader } from './header'
import { oldEncodingOf } from './old-encoding'

/** A contiguous range of the text: a piece in the file format's terms. */
export interface DocPiece {
  /** Index of its first character in the text. */
  first: number
  count: number
  /** Offset in the stream WordDocument. */
  at: number
  bytesPerCharacter: 1 | 2
}

export interface DocText {
  /** Yields a range of the text in parts of at most 32,768 characters. */
  parts(from: number, to: number): Generator<DocTextPart>
}

export interface DocTextPart extends DocPiece {
  text: string
}

const maxPartLength = 32 * 1024

/**
 * Finds the text, which edits may have split into pieces in any order ([MS-DOC] 2.8.35, PlcPcd). Throws UnreadableFile.
 */
export function openDocText(header: DocHeader, document: Buffer, tables: Buffer): DocText {
  const { structures, text } = header
  const pieces =
    structures.pieces.size > 0
      ? readPieces(tables.subarray(structures.pieces.at, structures.pieces.at + structures.pieces.size), header.isOld)
      : [{ first: 0, count: text.size, at: text.at, bytesPerCharacter: 1 as const }]
  // Overlapping pieces could make more text than the file has.
  const covered = pieces.reduce((sum, { count, bytesPerCharacter }) => sum + count * bytesPerCharacter, 0)
  if (header.isOld ? covered > 4 * document.length : covered > 2 * document.length)
    throw new UnreadableFile('file-broken')
  const chunks = pieces.map(({ at, count, bytesPerCharacter }) => document.subarray(at, at + count * bytesPerCharacter))
  const encoding = header.isOld ? oldEncodingOf(header.languageId, chunks) : 'windows-1252'

  function decode(position: number, count: number, bytesPerCharacter: 1 | 2): string {
    const bytes = document.subarray(position, position + count * bytesPerCharacter)
    return bytesPerCharacter === 2 ? bytes.toString('utf16le') : decodeAs(encoding, bytes)
  }

  return {
    *parts(from, to) {
      for (let index = indexAt(pieces, from); index < pieces.length; index++) {
        const piece = pieces[index]
        if (piece === undefined || piece.first >= to) return
        const end = Math.min(piece.first + piece.count, to)
        for (let first = Math.max(piece.first, from); first < end; first += maxPartLength) {
          const count = Math.min(maxPartLength, end - first)
          const position = piece.at + (first - piece.first) * piece.bytesPerCharacter
          yield { ...piece, first, count, at: position, text: decode(position, count, piece.bytesPerCharacter) }
        }
      }
    },
  }
}

function readPieces(bytes: Buffer, isOld: boolean): DocPiece[] {
  let position = 0
  // Skips the property modifiers that precede the piece table.
  while (bytes[position] === 1) position += 3 + bytes.readUInt16LE(position + 1)
  if (bytes[position] !== 2) throw new UnreadableFile('file-broken')
  const list = bytes.subarray(position + 5, position + 5 + bytes.readUInt32LE(position + 1))
  const count = Math.max(Math.floor((list.length - 4) / 12), 0)
  const pieces: DocPiece[] = []
  for (let index = 0; index < count; index++) {
    const first = list.readUInt32LE(index * 4)
    const next = list.readUInt32LE((index + 1) * 4)
    const descriptor = list.readUInt32LE((count + 1) * 4 + index * 8 + 2)
    if (next < first) throw new UnreadableFile('file-broken')
    const isCompressed = (descriptor & 0x40000000) !== 0
    const start = descriptor & 0x3fffffff
    pieces.push({
      first,
      count: next - first,
      at: isCompressed ? start >>> 1 : start,
      bytesPerCharacter: isCompressed || isOld ? 1 : 2,
    })
  }
  return pieces
}

/** Returns the index of the piece with a character, or of the first piece after it. */
function indexAt(pieces: DocPiece[], character: number): number {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const piece = pieces[middle]
    if (piece && piece.first + piece.count <= character) low = middle + 1
    else high = middle
  }
  return low
}
