import { createStyles, headingLevel, type SaidByStyle, type StyleDefinition, type WordStyles } from '../styles'
import type { DocPlace } from './header'
import { formOf } from './properties'

/** Numbers of the styles that come with Word ([MS-DOC] 2.9.260), the same in every language. */
const builtIn = { firstHeading: 1, lastHeading: 9, firstContents: 19, lastContents: 27, title: 62 }

/** Reads the styles of paragraphs ([MS-DOC] 2.9.271, STSH), by their places. */
export function readDocStyles({ at, size }: DocPlace, tables: Buffer): WordStyles {
  const list = tables.subarray(at, at + size)
  const definitions = new Map<string, StyleDefinition>()
  if (list.length < 6) return createStyles(definitions, '0')
  const baseSize = list.readUInt16LE(4)
  let place = 2 + list.readUInt16LE(0)
  for (let number = 0; place + 2 <= list.length; number++) {
    const length = list.readUInt16LE(place)
    const style = list.subarray(place + 2, place + 2 + length)
    if (style.length >= baseSize && baseSize >= 8) definitions.set(String(number), definitionOf(style, baseSize))
    // Each starts at an even place.
    place += 2 + length + (length % 2)
  }
  return createStyles(definitions, '0')
}

function definitionOf(style: Buffer, baseSize: number): StyleDefinition {
  const kind = style.readUInt16LE(0) & 0xfff
  const base = style.readUInt16LE(2) >>> 4
  const definition: StyleDefinition = { basedOn: base === 0xfff ? null : String(base), ...saidByKind(kind) }
  const isOfParagraphs = (style.readUInt16LE(2) & 0xf) === 1
  if (!isOfParagraphs || style.length < baseSize + 2) return definition
  // The name has a length in front and a zero behind.
  const form = baseSize + 2 + style.readUInt16LE(baseSize) * 2 + 2
  const properties = form + (form % 2)
  if (properties + 4 > style.length) return definition
  const said = style.subarray(properties + 2, properties + 2 + style.readUInt16LE(properties))
  if (said.length < 2) return definition
  const { outline, list, listLevel } = formOf(said)
  if (outline !== undefined) definition.level = headingLevel(String(outline))
  if (list !== undefined) definition.numId = String(list)
  if (listLevel !== undefined) definition.listLevel = listLevel
  return definition
}

function saidByKind(kind: number): SaidByStyle {
  if (kind >= builtIn.firstHeading && kind <= builtIn.lastHeading) return { level: Math.min(kind, 6) }
  if (kind === builtIn.title) return { level: 1 }
  if (kind >= builtIn.firstContents && kind <= builtIn.lastContents) return { role: 'contents' }
  return {}
}
