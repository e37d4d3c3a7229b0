import { lineBreak } from '../../../html/dom/text'
import type { DocTextPart } from './piece-table'
import type { DocLook, Stretches } from './properties'

/** Characters that stand for something ([MS-DOC] 2.4.1). */
export const sign = {
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

/** What marks a field, as `Fields` calls it. */
export const fieldMarks = new Map([
  [sign.field, 'begin'],
  [sign.result, 'separate'],
  [sign.fieldEnd, 'end'],
])

/** What a person sees in place of a character; nothing for those left out. */
export const shownAs = new Map([
  [sign.tab, ' '],
  [sign.line, lineBreak],
  [sign.column, lineBreak],
  [sign.hyphen, '-'],
])

/** The characters of a part, by how they look; null for what looks ordinary. */
export function* lookedAlike(
  part: DocTextPart,
  looks: Stretches<DocLook>,
): Generator<{ length: number; look: DocLook | null }> {
  const { bytesPerCharacter, text } = part
  let reached = 0
  for (const { start, end, value } of looks.within(part.at, part.at + text.length * bytesPerCharacter)) {
    const first = Math.min(Math.max(Math.ceil((start - part.at) / bytesPerCharacter), reached), text.length)
    const last = Math.min(Math.max(Math.ceil((end - part.at) / bytesPerCharacter), first), text.length)
    if (first > reached) yield { length: first - reached, look: null }
    if (last > first) yield { length: last - first, look: value }
    reached = last
  }
  if (reached < text.length) yield { length: text.length - reached, look: null }
}

/** Where the next character stands that ends a paragraph, a cell or a page; `to` without one. */
export function endOfParagraph(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === sign.paragraph || code === sign.cell || code === sign.page) return at
  }
  return to
}
