import { createStyles, headingLevel, type StyleDefinition, type StyleProperties, type WordStyles } from '../styles'
import type { DocRange } from './header'
import { parseParagraphProperties } from './properties'

/** Identifiers of built-in styles ([MS-DOC] 2.9.260), the same in every language. */
const builtIn = { firstHeading: 1, lastHeading: 9, firstContents: 19, lastContents: 27, title: 62 }

/** Reads the paragraph styles ([MS-DOC] 2.9.271, STSH), by index. */
export function readDocStyles({ at, size }: DocRange, tables: Buffer): WordStyles {
  const list = tables.subarray(at, at + size)
  const definitions = new Map<string, StyleDefinition>()
  if (list.length < 6) return createStyles(definitions, '0')
  const baseSize = list.readUInt16LE(4)
  let offset = 2 + list.readUInt16LE(0)
  for (let number = 0; offset + 2 <= list.length; number++) {
    const length = list.readUInt16LE(offset)
    const style = list.subarray(offset + 2, offset + 2 + length)
    if (style.length >= baseSize && baseSize >= 8) definitions.set(String(number), definitionOf(style, baseSize))
    // Each style starts at an even offset.
    offset += 2 + length + (length % 2)
  }
  return createStyles(definitions, '0')
}

function definitionOf(style: Buffer, baseSize: number): StyleDefinition {
  const id = style.readUInt16LE(0) & 0xfff
  const base = style.readUInt16LE(2) >>> 4
  const definition: StyleDefinition = { basedOn: base === 0xfff ? null : String(base), ...propertiesOfBuiltIn(id) }
  const isParagraphStyle = (style.readUInt16LE(2) & 0xf) === 1
  if (!isParagraphStyle || style.length < baseSize + 2) return definition
  // The name has a length before it and a null character after it.
  const nameEnd = baseSize + 2 + style.readUInt16LE(baseSize) * 2 + 2
  const properties = nameEnd + (nameEnd % 2)
  if (properties + 4 > style.length) return definition
  const ownProperties = style.subarray(properties + 2, properties + 2 + style.readUInt16LE(properties))
  if (ownProperties.length < 2) return definition
  const { outline, list, listLevel } = parseParagraphProperties(ownProperties)
  if (outline !== undefined) definition.level = headingLevel(String(outline))
  if (list !== undefined) definition.numId = String(list)
  if (listLevel !== undefined) definition.listLevel = listLevel
  return definition
}

function propertiesOfBuiltIn(id: number): StyleProperties {
  if (id >= builtIn.firstHeading && id <= builtIn.lastHeading) return { level: Math.min(id, 6) }
  if (id === builtIn.title) return { level: 1 }
  if (id >= builtIn.firstContents && id <= builtIn.lastContents) return { role: 'contents' }
  return {}
}
