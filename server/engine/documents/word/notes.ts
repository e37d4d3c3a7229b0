import { fileLimits } from '../../limits'
import { numberText } from './list-numbers'

export type NoteKind = 'footnote' | 'endnote'

/** Notes of a file, returned where the text refers to them. */
export interface WordNotes {
  add(kind: NoteKind, id: string, text: string): void
  /** Returns the marker for the text, and the note with it; null if there is none or it was taken before. */
  claim(kind: NoteKind, id: string): { mark: string; text: string } | null
}

export function createWordNotes(): WordNotes {
  const notes = new Map<string, string>()
  const counts = { footnote: 0, endnote: 0 }
  let size = 0

  return {
    add(kind, id, text) {
      size += text.length
      if (text !== '' && size <= fileLimits.word.noteCharacters) notes.set(`${kind} ${id}`, text)
    },
    claim(kind, id) {
      const key = `${kind} ${id}`
      const text = notes.get(key)
      if (text === undefined) return null
      notes.delete(key)
      const number = ++counts[kind]
      const mark = `[${numberText(number, kind === 'footnote' ? 'decimal' : 'lowerRoman')}]`
      return { mark, text: `${mark} ${text}` }
    },
  }
}
