import type {
  PDFDocumentProxy,
  PDFPageProxy,
  TextContent,
  TextItem,
  TextMarkedContent,
} from 'pdfjs-dist/types/src/display/api'
import { fileLimits } from '../../limits'
import { annotationSpans } from './content/annotations'
import { drawingOf, seenSpans } from './content/drawing'
import { hiddenParts } from './content/layers'
import { type PdfPoint, type PdfSpan, spanOf } from './content/span'
import { roles } from './content/structure-tags'
import { inLetters, learnFonts, type PdfFonts } from './fonts/fonts'

/** What stands on a page. */
export interface PdfPage {
  /** From 1. */
  number: number
  spans: PdfSpan[]
  /** Two opposite corners of what is shown of the page. */
  corners: readonly [PdfPoint, PdfPoint]
  /** Has no text, but images that may show some. */
  isScan: boolean
  /** What of it is missing: what is over the limit of a page, or behind damage. */
  lacks: 'end' | 'damaged' | null
}

/** What pages of a file may have; only then their drawing is asked for. */
export interface PdfSuspicion {
  /** Text that nobody sees. */
  hidesText: boolean
  hasImages: boolean
}

/** Shares of a page that images cover: of one that is a scan, and from which on invisible text says what they show. */
const scanned = 0.25
const pictured = 0.01

/**
 * Reads the text of one page and forgets the page; an unreadable part of it is left out, and text that nobody sees, unless
 * it says what an image shows. Throws for an unreadable page.
 */
export async function readPdfPage(
  document: PDFDocumentProxy,
  number: number,
  fonts: PdfFonts,
  { hidesText, hasImages }: PdfSuspicion,
): Promise<PdfPage> {
  const page = await document.getPage(number)
  try {
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view
    const { spans: all, lacks } = await readSpans(document, page)
    const drawing = hidesText || (hasImages && all.length === 0) ? await drawingOf(page) : null
    const spans = drawing && drawing.images < pictured ? seenSpans(all, drawing) : all
    const names = new Set(spans.map((span) => span.font))
    // A page in one font has nothing that stands out, and its letters are doubted where they are uncommon.
    if (names.size > 1 || spans.some(({ text }) => /[^ -~]/.test(text))) await learnFonts(page, names, fonts)
    const written = spans.map((span) => ({ ...span, text: inLetters(span.text, fonts.get(span.font)) }))
    const shown = [...written, ...(await annotationSpans(page, fonts))]
    return {
      number,
      spans: shown,
      corners: [
        [left, bottom],
        [right, top],
      ],
      isScan: shown.length === 0 && drawing !== null && drawing.images >= scanned,
      lacks,
    }
  } finally {
    page.cleanup()
  }
}

/** What is marked in a page: its role, and the part of a layer that it is in, from 0. */
interface Marked {
  role: string
  part: number
}

const unmarked: Marked = { role: '', part: -1 }

async function readSpans(document: PDFDocumentProxy, page: PDFPageProxy): Promise<Pick<PdfPage, 'spans' | 'lacks'>> {
  const roleOf = await roles(page)
  const spans: PdfSpan[] = []
  /** What is marked around, outermost first. */
  const marked: Marked[] = []
  const parts: number[] = []
  const partOf = new Map<PdfSpan, number>()
  const styles: TextContent['styles'] = {}
  let afterSpace = false
  let follows = false
  let characters = 0
  let lacks: PdfPage['lacks'] = null
  const reader = page.streamTextContent({ includeMarkedContent: true, disableNormalization: true }).getReader()
  try {
    for (;;) {
      const { value, done } = (await reader.read()) as ReadableStreamReadResult<TextContent>
      if (done) break
      if (characters >= fileLimits.pdf.pageCharacters) {
        lacks = 'end'
        break
      }
      Object.assign(styles, value.styles)
      for (const item of value.items) {
        if ('type' in item) {
          if (item.type === 'endMarkedContent') marked.pop()
          else {
            const around = marked.at(-1) ?? unmarked
            const part = isLayer(item) ? parts.push(around.part) - 1 : around.part
            marked.push({ role: roleOf(item) || around.role, part })
          }
          continue
        }
        const isBlank = item.str.trim() === ''
        const bare = isBlank ? null : spanOf(item, styles[item.fontName]?.vertical ?? false)
        if (bare) {
          const { role, part } = marked.at(-1) ?? unmarked
          const span = { ...bare, role, order: spans.length, afterSpace, follows }
          spans.push(span)
          if (part >= 0) partOf.set(span, part)
          characters += item.str.length
        }
        follows = !item.hasEOL && !isBlank
        afterSpace = isBlank ? isSpace(item) : /\s$/.test(item.str)
      }
    }
    await reader.cancel(new Error('enough'))
  } catch {
    // What came before the damage counts.
    lacks ??= 'damaged'
  }
  const hidden = await hiddenParts(document, page, parts)
  return { spans: spans.filter((span) => !hidden.has(partOf.get(span) ?? -1)), lacks }
}

function isLayer(item: TextMarkedContent): boolean {
  return item.type === 'beginMarkedContentProps' && 'tag' in item && item.tag === 'OC'
}

/** Glyphs that are moved apart by a hair are told as a space, too. */
function isSpace({ str, width, height, transform }: TextItem): boolean {
  return str !== '' && Math.max(width, height) > 0.06 * Math.hypot(Number(transform[2]), Number(transform[3]))
}
