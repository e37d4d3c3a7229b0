import { cleanText } from '../../html/dom/text'
import type { Block } from '../../ports/extractor'
import { attributeOf, type XmlElement } from '../containers/xml-reader'
import type { WordNumbering } from './numbering'
import { headingLevel, type WordStyles } from './styles'

/** A paragraph while it is read. */
export interface WordParagraph {
  text: string
  style: string
  /** Set by the paragraph itself; undefined if its style decides. */
  level?: number | null
  numId?: string
  listLevel?: number
  /** The paragraph end was deleted, so that the next paragraph continues the text. */
  continues: boolean
  /** Blocks of text boxes anchored in it. */
  textBoxes: Block[]
  /** Notes that it refers to. */
  notes: Block[]
}

export type ParagraphContent = { kind: 'block'; block: Block } | { kind: 'item'; text: string; level: number }

/** Characters of a heading; longer texts are not headings, whatever their style. */
const maxHeadingLength = 500

/** Applies one property of a paragraph. */
export function applyParagraphProperty(paragraph: WordParagraph, element: XmlElement): void {
  const value = attributeOf(element, 'val')
  if (element.name === 'w:pStyle') paragraph.style = value ?? ''
  else if (element.name === 'w:outlineLvl') paragraph.level = headingLevel(value)
  else if (element.name === 'w:numId') paragraph.numId = value
  else if (element.name === 'w:ilvl') paragraph.listLevel = Number(value) || 0
}

/** Converts a paragraph to a block or a list item; null for one without text, and for lines of a table of contents. */
export function interpretParagraph(
  paragraph: WordParagraph,
  styles: WordStyles,
  numbering: WordNumbering,
): ParagraphContent | null {
  const style = styles.of(paragraph.style)
  const text = cleanText(paragraph.text)
  const line = text.replaceAll('\n', ' ')
  const numId = paragraph.numId ?? style.numId
  // An empty list paragraph is numbered, too.
  const listLevel = paragraph.listLevel ?? style.listLevel ?? numbering.levelOfStyle(numId ?? '', style.id)
  const mark = numId === undefined || numId === '0' ? null : numbering.markerOf(numId, listLevel)
  if (text === '' || style.role === 'contents') return null
  const level = paragraph.level === undefined ? (style.level ?? null) : paragraph.level
  if (level !== null && line.length <= maxHeadingLength) {
    const numbered = mark === null || mark === '-' ? line : `${mark} ${line}`
    return { kind: 'block', block: { kind: 'heading', level, text: numbered, anchor: null } }
  }
  if (mark !== null) return { kind: 'item', text: `${mark} ${line}`, level: listLevel }
  return { kind: 'block', block: { kind: style.role === 'quote' ? 'quote' : 'paragraph', text, anchor: null } }
}
