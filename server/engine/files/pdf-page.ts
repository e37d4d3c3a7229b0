import type { PDFDocumentProxy, PDFPageProxy, TextContent, TextItem } from 'pdfjs-dist/types/src/display/api'
import { fileLimits } from '../limits'
import { annotationSpans } from './pdf-annotations'
import { type PdfPoint, type PdfSpan, spanOf } from './pdf-span'
import { roles } from './pdf-tags'

/** What stands on a page. */
export interface PdfPage {
  /** From 1. */
  number: number
  spans: PdfSpan[]
  /** Two opposite corners of what is shown of the page. */
  corners: readonly [PdfPoint, PdfPoint]
}

/** Fonts by the names that pdfjs gives them, and whether they are bold. */
export type PdfWeights = Map<string, boolean>

/** Reads the text of one page and forgets the page; an unreadable part of it is left out. Throws for an unreadable page. */
export async function readPdfPage(document: PDFDocumentProxy, number: number, weights: PdfWeights): Promise<PdfPage> {
  const page = await document.getPage(number)
  try {
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view
    const spans = await readSpans(page)
    if (weights.size < fileLimits.pdf.fonts) await weigh(page, spans, weights)
    return {
      number,
      spans: [...spans, ...(await annotationSpans(page))],
      corners: [
        [left, bottom],
        [right, top],
      ],
    }
  } finally {
    page.cleanup()
  }
}

async function readSpans(page: PDFPageProxy): Promise<PdfSpan[]> {
  const roleOf = await roles(page)
  const spans: PdfSpan[] = []
  /** Roles of the marked content around, outermost first. */
  const marked: string[] = []
  const styles: TextContent['styles'] = {}
  let afterSpace = false
  let follows = false
  let characters = 0
  const reader = page.streamTextContent({ includeMarkedContent: true, disableNormalization: true }).getReader()
  try {
    while (characters < fileLimits.pdf.pageCharacters) {
      const { value, done } = (await reader.read()) as ReadableStreamReadResult<TextContent>
      if (done) break
      Object.assign(styles, value.styles)
      for (const item of value.items) {
        if ('type' in item) {
          if (item.type === 'endMarkedContent') marked.pop()
          else marked.push(roleOf(item) || marked.at(-1) || '')
          continue
        }
        const isBlank = item.str.trim() === ''
        const span = isBlank ? null : spanOf(item, styles[item.fontName]?.vertical ?? false)
        if (span) {
          spans.push({ ...span, role: marked.at(-1) ?? '', afterSpace: afterSpace || /^\s/.test(item.str), follows })
          characters += item.str.length
        }
        follows = !item.hasEOL && !isBlank
        afterSpace = isBlank ? isSpace(item) : /\s$/.test(item.str)
      }
    }
    await reader.cancel(new Error('enough'))
  } catch {
    // What came before the damage counts.
  }
  return spans
}

/** Glyphs that are moved apart by a hair are told as a space, too. */
function isSpace({ str, width, height, transform }: TextItem): boolean {
  return str !== '' && Math.max(width, height) > 0.06 * Math.hypot(Number(transform[2]), Number(transform[3]))
}

/** The names of fonts are told only with the drawing of a page: it is listed, without images, and not drawn. */
async function weigh(page: PDFPageProxy, spans: PdfSpan[], weights: PdfWeights): Promise<void> {
  const fonts = new Set(spans.map((span) => span.font))
  const unknown = [...fonts].filter((font) => !weights.has(font))
  // A page in one font has nothing that stands out.
  if (unknown.length === 0 || fonts.size < 2) return
  for (const font of unknown) weights.set(font, false)
  try {
    await page.getOperatorList()
    for (const font of unknown) if (page.commonObjs.has(font)) weights.set(font, isBold(page.commonObjs.get(font)))
  } catch {
    // Without weights, sizes alone make headings.
  }
}

function isBold(font: { name?: unknown; bold?: unknown; black?: unknown } | null): boolean {
  return Boolean(font?.bold || font?.black) || /bold|black|heavy|semibold/i.test(String(font?.name ?? ''))
}
