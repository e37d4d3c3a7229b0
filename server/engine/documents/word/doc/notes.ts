import type { NoteKind } from '../notes'

/** The character that refers to a note, and the note's range within the notes of its kind. */
export interface NoteRange {
  kind: NoteKind
  reference: number
  from: number
  to: number
}

/** Reads which characters refer to notes, and the ranges of the notes ([MS-DOC] 2.8.18 and 2.8.19). */
export function readNoteRanges(references: Buffer, texts: Buffer, kind: NoteKind): NoteRange[] {
  const count = Math.max(Math.floor((references.length - 4) / 6), 0)
  const notes: NoteRange[] = []
  for (let index = 0; index < count && (index + 2) * 4 <= texts.length; index++) {
    notes.push({
      kind,
      reference: references.readUInt32LE(index * 4),
      from: texts.readUInt32LE(index * 4),
      to: texts.readUInt32LE((index + 1) * 4),
    })
  }
  return notes
}
