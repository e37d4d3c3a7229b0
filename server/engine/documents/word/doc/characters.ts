import { lineBreak } from '../../../html/dom/text'
import type { DocTextPart } from './piece-table'
import type { CharacterProperties, PropertyRuns } from './properties'

/** Control characters of the text ([MS-DOC] 2.4.1). */
export const controlCharacter = {
  note: 0x02,
  cell: 0x07,
  tab: 0x09,
  line: 0x0b,
  page: 0x0c,
  paragraph: 0x0d,
  column: 0x0e,
  field: 0x13,
  result: 0x14,
  fieldEnd: 0x15,
  hyphen: 0x1e,
}

/** Characters that delimit the parts of a field, by their names in `Fields`. */
export const fieldCharacters = new Map([
  [controlCharacter.field, 'begin'],
  [controlCharacter.result, 'separate'],
  [controlCharacter.fieldEnd, 'end'],
])

/** Replacements for control characters; others are removed. */
export const replacements = new Map([
  [controlCharacter.tab, ' '],
  [controlCharacter.line, lineBreak],
  [controlCharacter.column, lineBreak],
  [controlCharacter.hyphen, '-'],
])

/** Splits a part of the text into runs with the same character properties; null for default properties. */
export function* characterRuns(
  part: DocTextPart,
  runs: PropertyRuns<CharacterProperties>,
): Generator<{ length: number; properties: CharacterProperties | null }> {
  const { bytesPerCharacter, text } = part
  let position = 0
  for (const { start, end, value } of runs.overlapping(part.at, part.at + text.length * bytesPerCharacter)) {
    const first = Math.min(Math.max(Math.ceil((start - part.at) / bytesPerCharacter), position), text.length)
    const last = Math.min(Math.max(Math.ceil((end - part.at) / bytesPerCharacter), first), text.length)
    if (first > position) yield { length: first - position, properties: null }
    if (last > first) yield { length: last - first, properties: value }
    position = last
  }
  if (position < text.length) yield { length: text.length - position, properties: null }
}

/** Returns the index of the next character that ends a paragraph, a cell or a page; `to` if there is none. */
export function endOfParagraph(text: string, from: number, to: number): number {
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index)
    if (code === controlCharacter.paragraph || code === controlCharacter.cell || code === controlCharacter.page)
      return index
  }
  return to
}
