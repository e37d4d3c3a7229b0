import type {
  PDFDocumentProxy,
  PDFPageProxy,
  TextContent,
  TextItem,
  TextMarkedContent,
} from 'pdfjs-dist/types/src/display/api'
import { fileLimits } from '../../limits'
import { annotationSpans } from './content/annotations'
import { readDrawing, visibleSpans } from './content/drawing'
import { hiddenLayerParts } from './content/layers'
import { type PdfPoint, type PdfSpan, spanOf } from './content/span'
import { readRoles } from './content/structure-tags'
import { loadFonts, mapCharacters, type PdfFonts } from './fonts/fonts'

export interface PdfPage {
  /** Number of the page, from 1. */
  number: number
  spans: PdfSpan[]
  /** Two opposite corners of the visible area. */
  corners: readonly [PdfPoint, PdfPoint]
  /** Has no text, but images that may show some. */
  isScan: boolean
  /** What is missing: text over the limit of a page, or after damage. */
  missing: 'end' | 'damaged' | null
}

/** What the pages of a file may have; only then their operator lists are requested. */
export interface PdfHints {
  /** Invisible text. */
  hidesText: boolean
  hasImages: boolean
}

/** Shares of a page that images cover: of a scan, and from which on invisible text is the text of an image. */
const minScanCoverage = 0.25
const minImageCoverage = 0.01

/**
 * Reads the text of a page and releases it. Skips unreadable parts, and invisible text unless it is the text of an
 * image. Throws for an unreadable page.
 */
export async function readPdfPage(
  document: PDFDocumentProxy,
  number: number,
  fonts: PdfFonts,
  { hidesText, hasImages }: PdfHints,
): Promise<PdfPage> {
  const page = await document.getPage(number)
  try {
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view
    const { spans: all, missing } = await readSpans(document, page)
    const drawing = hidesText || (hasImages && all.length === 0) ? await readDrawing(page) : null
    const spans = drawing && drawing.imageCoverage < minImageCoverage ? visibleSpans(all, drawing) : all
    const names = new Set(spans.map((span) => span.font))
    // On a page with one font nothing is bold by comparison; its mapping matters only for uncommon characters.
    if (names.size > 1 || spans.some(({ text }) => /[^ -~]/.test(text))) await loadFonts(page, names, fonts)
    const mapped = spans.map((span) => ({ ...span, text: mapCharacters(span.text, fonts.get(span.font)) }))
    const visible = [...mapped, ...(await annotationSpans(page, fonts))]
    return {
      number,
      spans: visible,
      corners: [
        [left, bottom],
        [right, top],
      ],
      isScan: visible.length === 0 && drawing !== null && drawing.imageCoverage >= minScanCoverage,
      missing,
    }
  } finally {
    page.cleanup()
  }
}

/** The role of marked content, and the index of the layer part that contains it. */
interface MarkedContent {
  role: string
  part: number
}

const unmarked: MarkedContent = { role: '', part: -1 }

async function readSpans(document: PDFDocumentProxy, page: PDFPageProxy): Promise<Pick<PdfPage, 'spans' | 'missing'>> {
  const roleOf = await readRoles(page)
  const spans: PdfSpan[] = []
  /** Open marked content, outermost first. */
  const stack: MarkedContent[] = []
  const parts: number[] = []
  const partOf = new Map<PdfSpan, number>()
  const styles: TextContent['styles'] = {}
  let hasSpaceBefore = false
  let isContiguous = false
  let characters = 0
  let missing: PdfPage['missing'] = null
  const reader = page.streamTextContent({ includeMarkedContent: true, disableNormalization: true }).getReader()
  try {
    for (;;) {
      const { value, done } = (await reader.read()) as ReadableStreamReadResult<TextContent>
      if (done) break
      if (characters >= fileLimits.pdf.pageCharacters) {
        missing = 'end'
        break
      }
      Object.assign(styles, value.styles)
      for (const item of value.items) {
        if ('type' in item) {
          if (item.type === 'endMarkedContent') stack.pop()
          else {
            const parent = stack.at(-1) ?? unmarked
            const part = isLayer(item) ? parts.push(parent.part) - 1 : parent.part
            stack.push({ role: roleOf(item) || parent.role, part })
          }
          continue
        }
        const isBlank = item.str.trim() === ''
        const bare = isBlank ? null : spanOf(item, styles[item.fontName]?.vertical ?? false)
        if (bare) {
          const { role, part } = stack.at(-1) ?? unmarked
          const span = { ...bare, role, order: spans.length, hasSpaceBefore, isContiguous }
          spans.push(span)
          if (part >= 0) partOf.set(span, part)
          characters += item.str.length
        }
        isContiguous = !item.hasEOL && !isBlank
        hasSpaceBefore = isBlank ? isSpace(item) : /\s$/.test(item.str)
      }
    }
    await reader.cancel(new Error('enough'))
  } catch {
    // Keeps what was read before the damage.
    missing ??= 'damaged'
  }
  const hidden = await hiddenLayerParts(document, page, parts)
  return { spans: spans.filter((span) => !hidden.has(partOf.get(span) ?? -1)), missing }
}

function isLayer(item: TextMarkedContent): boolean {
  return item.type === 'beginMarkedContentProps' && 'tag' in item && item.tag === 'OC'
}

/** Whether an item is a real space; pdfjs also reports tiny gaps between glyphs as spaces. */
function isSpace({ str, width, height, transform }: TextItem): boolean {
  return str !== '' && Math.max(width, height) > 0.06 * Math.hypot(Number(transform[2]), Number(transform[3]))
}
