import type { Block } from '../../../ports'
import type { PdfFonts } from '../fonts/fonts'
import { cleanLine, joinLines } from '../normalize-text'
import type { PdfPage } from '../page'
import { bodySize, headingLevel, type PdfOutline } from './headings'
import { piecesOf } from './line-segments'
import { type PdfParagraph, paragraphsOf } from './paragraphs'
import { orderPieces } from './reading-order'
import { mainAngle } from './running-headers'

/** Makes blocks of pages, in their order. */
export interface PdfBlocks {
  /** The blocks of these pages and of the last one before that can no longer change. */
  add(pages: PdfPage[]): Block[]
  /** What is left. */
  end(): Block[]
}

/** Characters; a paragraph does not grow longer over pages. */
const longestParagraph = 4_000
const shortestOpen = 40

/** Blocks of a file; the size of its body text is that of the first pages with text. */
export function createPdfBlocks(outline: PdfOutline, fonts: PdfFonts): PdfBlocks {
  let body = 0
  /** Waits for its other half. */
  let open: { block: Block & { kind: 'paragraph' }; size: number; isBold: boolean } | null = null

  function add(pages: PdfPage[]): Block[] {
    const read = pages.map((page) => ({ anchor: `page=${page.number}`, paragraphs: readParagraphs(page, fonts) }))
    body ||= bodySize(read.flatMap((page) => page.paragraphs))
    const blocks: Block[] = []
    for (const { anchor, paragraphs } of read) {
      for (const paragraph of paragraphs) {
        const { text, size, isBold, isTable } = paragraph
        if (open && !isTable && goesOn(open, paragraph)) {
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

/** A sentence that stops in the middle, at the end of a column or a page, and goes on in small letters. */
function goesOn(open: { block: Block; size: number; isBold: boolean }, next: PdfParagraph): boolean {
  const { length } = open.block.text
  if (length < shortestOpen || length > longestParagraph) return false
  const isAlike = Math.abs(open.size - next.size) < 0.1 * next.size && open.isBold === next.isBold
  return isAlike && /[\p{L},;\u2010-]$/u.test(open.block.text) && /^\p{Ll}/u.test(next.text)
}

/** The main text of a page, then what runs in other directions. */
function readParagraphs(page: PdfPage, fonts: PdfFonts): PdfParagraph[] {
  const main = mainAngle(page.spans)
  const others = [...new Set(page.spans.map((span) => span.angle))].filter((angle) => angle !== main)
  return [main, ...others].flatMap((angle) => {
    const pieces = piecesOf(
      page.spans.filter((span) => span.angle === angle),
      fonts,
    )
    const clean = pieces.map((piece) => ({ ...piece, text: cleanLine(piece.text) })).filter(({ text }) => text !== '')
    return paragraphsOf(orderPieces(clean))
  })
}
