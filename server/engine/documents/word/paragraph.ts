import { cleanText } from '../../html/dom/text'
import type { Block } from '../../ports'
import { attributeOf, type XmlElement } from '../containers/xml-reader'
import type { WordNumbering } from './numbering'
import { headingLevel, type WordStyles } from './styles'

/** A paragraph while it is read. */
export interface WordParagraph {
  text: string
  style: string
  /** As it says itself; undefined where its style says it. */
  level?: number | null
  numId?: string
  listLevel?: number
  /** Its end was deleted, so that the next one goes on with its text. */
  runsOn: boolean
  /** Of boxes that stand beside it. */
  beside: Block[]
  /** That it refers to. */
  notes: Block[]
}

export type PlacedParagraph = { kind: 'block'; block: Block } | { kind: 'item'; text: string; level: number }

/** A longer text is no heading, whatever its style. */
const longestHeading = 500

/** Takes one property of a paragraph. */
export function describeParagraph(paragraph: WordParagraph, element: XmlElement): void {
  const value = attributeOf(element, 'val')
  if (element.name === 'w:pStyle') paragraph.style = value ?? ''
  else if (element.name === 'w:outlineLvl') paragraph.level = headingLevel(value)
  else if (element.name === 'w:numId') paragraph.numId = value
  else if (element.name === 'w:ilvl') paragraph.listLevel = Number(value) || 0
}

/** What a paragraph is in the text; null for one without text, and for lines of a table of contents. */
export function placeParagraph(
  paragraph: WordParagraph,
  styles: WordStyles,
  numbering: WordNumbering,
): PlacedParagraph | null {
  const style = styles.of(paragraph.style)
  const text = cleanText(paragraph.text)
  const line = text.replaceAll('\n', ' ')
  const numId = paragraph.numId ?? style.numId
  // An empty one of a list has its number all the same.
  const listLevel = paragraph.listLevel ?? style.listLevel ?? numbering.levelOfStyle(numId ?? '', style.id)
  const mark = numId === undefined || numId === '0' ? null : numbering.markOf(numId, listLevel)
  if (text === '' || style.role === 'contents') return null
  const level = paragraph.level === undefined ? (style.level ?? null) : paragraph.level
  if (level !== null && line.length <= longestHeading) {
    const numbered = mark === null || mark === '-' ? line : `${mark} ${line}`
    return { kind: 'block', block: { kind: 'heading', level, text: numbered, anchor: null } }
  }
  if (mark !== null) return { kind: 'item', text: `${mark} ${line}`, level: listLevel }
  return { kind: 'block', block: { kind: style.role === 'quote' ? 'quote' : 'paragraph', text, anchor: null } }
}
