import type { Block } from '../../../ports/extractor'
import type { PdfFonts } from '../fonts/fonts'
import { cleanLine, joinLines } from '../normalize-text'
import type { PdfPage } from '../page'
import { bodySize, headingLevel, type PdfOutline } from './headings'
import { segmentsOf } from './line-segments'
import { type PdfParagraph, paragraphsOf } from './paragraphs'
import { orderSegments } from './reading-order'
import { mainAngle } from './running-headers'

/** Turns pages into blocks, in order. */
export interface PdfBlocks {
  /** Returns the blocks of these pages, and the last block of the previous ones once it is complete. */
  add(pages: PdfPage[]): Block[]
  /** Returns the last block. */
  end(): Block[]
}

/** Characters of a paragraph that may continue in the next column or page. */
const maxParagraphLength = 4_000
const minOpenLength = 40

/** Creates blocks of a file. The size of its body text is that of the first pages with text. */
export function createPdfBlocks(outline: PdfOutline, fonts: PdfFonts): PdfBlocks {
  let body = 0
  /** A paragraph that may continue. */
  let open: { block: Block & { kind: 'paragraph' }; size: number; isBold: boolean } | null = null

  function add(pages: PdfPage[]): Block[] {
    const read = pages.map((page) => ({ anchor: `page=${page.number}`, paragraphs: readParagraphs(page, fonts) }))
    body ||= bodySize(read.flatMap((page) => page.paragraphs))
    const blocks: Block[] = []
    for (const { anchor, paragraphs } of read) {
      for (const paragraph of paragraphs) {
        const { text, size, isBold, isTable } = paragraph
        if (open && !isTable && isContinuedBy(open, paragraph)) {
          open.block.text = joinLines(open.block.text, text)
          continue
        }
        blocks.push(...end())
        const level = headingLevel(paragraph, body, outline)
        if (level !== null) blocks.push({ kind: 'heading', level, text: text.replaceAll('\n', ' '), anchor })
        else if (isTable) blocks.push({ kind: 'table', text, anchor })
        else open = { block: { kind: 'paragraph', text, anchor }, size, isBold }
      }
    }
    return blocks
  }

  function end(): Block[] {
    const blocks = open ? [open.block] : []
    open = null
    return blocks
  }

  return { add, end }
}

/** Whether a sentence that is interrupted by the end of a column or a page continues in lower case. */
function isContinuedBy(open: { block: Block; size: number; isBold: boolean }, next: PdfParagraph): boolean {
  const { length } = open.block.text
  if (length < minOpenLength || length > maxParagraphLength) return false
  const isAlike = Math.abs(open.size - next.size) < 0.1 * next.size && open.isBold === next.isBold
  return isAlike && /[\p{L},;\u2010-]$/u.test(open.block.text) && /^\p{Ll}/u.test(next.text)
}

/** Returns the paragraphs of the main text of a page, then those in other directions. */
function readParagraphs(page: PdfPage, fonts: PdfFonts): PdfParagraph[] {
  const main = mainAngle(page.spans)
  const others = [...new Set(page.spans.map((span) => span.angle))].filter((angle) => angle !== main)
  return [main, ...others].flatMap((angle) => {
    const segments = segmentsOf(
      page.spans.filter((span) => span.angle === angle),
      fonts,
    )
    const clean = segments
      .map((segment) => ({ ...segment, text: cleanLine(segment.text) }))
      .filter(({ text }) => text !== '')
    return paragraphsOf(orderSegments(clean))
  })
}
