import { decodeAs } from '../../../charset/decoders'
import { RefusedFile } from '../../format/unreadable-file'
import { encodingOfLanguage } from '../windows-languages'
import type { DocHeader } from './header'

/** A part of the text that stands in one place. */
export interface DocPiece {
  /** Characters before it, in the order of the text. */
  first: number
  count: number
  /** Its bytes in the stream of the text. */
  at: number
  /** Two bytes a character, or one. */
  bytesPerCharacter: 1 | 2
}

export interface DocText {
  /** The text from one character up to another, in parts of at most 32,768 characters. */
  parts(from: number, to: number): Generator<DocTextPart>
}

export interface DocTextPart extends DocPiece {
  text: string
}

const longestPart = 32 * 1024

/** Finds the text, which edits may have left in many pieces in any order ([MS-DOC] 2.8.35, PlcPcd). */
export function openDocText(header: DocHeader, document: Buffer, tables: Buffer): DocText {
  const { places, text } = header
  const pieces =
    places.pieces.size > 0
      ? readPieces(tables.subarray(places.pieces.at, places.pieces.at + places.pieces.size), header.isOld)
      : [{ first: 0, count: text.size, at: text.at, bytesPerCharacter: 1 as const }]
  // Pieces that say the same text again and again make more of it than the file has.
  const said = pieces.reduce((sum, { count, bytesPerCharacter }) => sum + count * bytesPerCharacter, 0)
  if (header.isOld ? said > 4 * document.length : said > 2 * document.length) throw new RefusedFile('file-broken')
  const encoding = header.isOld ? encodingOfLanguage(header.languageId) : 'windows-1252'

  function decode(at: number, count: number, bytesPerCharacter: 1 | 2): string {
    const bytes = document.subarray(at, at + count * bytesPerCharacter)
    return bytesPerCharacter === 2 ? bytes.toString('utf16le') : decodeAs(encoding, bytes)
  }

  return {
    *parts(from, to) {
      for (let index = indexAt(pieces, from); index < pieces.length; index++) {
        const piece = pieces[index]
        if (piece === undefined || piece.first >= to) return
        const end = Math.min(piece.first + piece.count, to)
        for (let first = Math.max(piece.first, from); first < end; first += longestPart) {
          const count = Math.min(longestPart, end - first)
          const at = piece.at + (first - piece.first) * piece.bytesPerCharacter
          yield { ...piece, first, count, at, text: decode(at, count, piece.bytesPerCharacter) }
        }
      }
    },
  }
}

function readPieces(bytes: Buffer, isOld: boolean): DocPiece[] {
  let at = 0
  // Properties that the pieces refer to stand in front of them.
  while (bytes[at] === 1) at += 3 + bytes.readUInt16LE(at + 1)
  if (bytes[at] !== 2) throw new RefusedFile('file-broken')
  const list = bytes.subarray(at + 5, at + 5 + bytes.readUInt32LE(at + 1))
  const count = Math.max(Math.floor((list.length - 4) / 12), 0)
  const pieces: DocPiece[] = []
  for (let index = 0; index < count; index++) {
    const first = list.readUInt32LE(index * 4)
    const next = list.readUInt32LE((index + 1) * 4)
    const place = list.readUInt32LE((count + 1) * 4 + index * 8 + 2)
    if (next < first) throw new RefusedFile('file-broken')
    const isPacked = (place & 0x40000000) !== 0
    const start = place & 0x3fffffff
    pieces.push({
      first,
      count: next - first,
      at: isPacked ? start >>> 1 : start,
      bytesPerCharacter: isPacked || isOld ? 1 : 2,
    })
  }
  return pieces
}

/** The piece that holds a character, or the first one behind it. */
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
