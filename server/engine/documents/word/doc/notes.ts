import type { NoteKind } from '../notes'

/** A note: the character that refers to it, and its own text in the story of its kind. */
export interface NotePlace {
  kind: NoteKind
  reference: number
  from: number
  to: number
}

/** Which notes the characters of a text refer to, and where their own texts stand ([MS-DOC] 2.8.18 and 2.8.19). */
export function readNotePlaces(references: Buffer, texts: Buffer, kind: NoteKind): NotePlace[] {
  const count = Math.max(Math.floor((references.length - 4) / 6), 0)
  const notes: NotePlace[] = []
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
