import type { PDFPageProxy } from 'pdfjs-dist/types/src/display/api'
import { loadFonts, mapCharacters, type PdfFonts } from '../fonts/fonts'
import { pdfOperations } from '../pdfjs'
import { type PdfSpan, toFrame } from './span'

/** The properties of an annotation from which its visible text is read. */
interface Annotation {
  id?: unknown
  subtype?: unknown
  rect?: unknown
  textContent?: unknown
  fieldType?: unknown
  fieldValue?: unknown
  hasAppearance?: unknown
  password?: unknown
  hidden?: unknown
}

/** Annotations without text of their own on the page. */
const textless = /^(?:Link|Popup|Highlight|Underline|Squiggly|StrikeOut|Ink|Line|Polygon|PolyLine|Square|Circle|Caret)$/

/**
 * Returns the text of form fields, buttons and free-text annotations, each at its place; none if they cannot be read.
 */
export async function annotationSpans(page: PDFPageProxy, fonts: PdfFonts): Promise<PdfSpan[]> {
  try {
    const all: Annotation[] = await page.getAnnotations({ intent: 'display' })
    const annotations = all.filter(
      ({ subtype, password, hidden }) => !textless.test(String(subtype)) && !password && !hidden,
    )
    const isDrawn = annotations.some(({ textContent, hasAppearance }) => !Array.isArray(textContent) && hasAppearance)
    const drawn = isDrawn ? await drawnLines(page, fonts) : new Map<string, string[]>()
    return annotations.flatMap((annotation) => placeLines(linesOf(annotation, drawn), annotation.rect))
  } catch {
    return []
  }
}

function linesOf({ id, textContent, fieldType, fieldValue }: Annotation, drawn: Map<string, string[]>): string[] {
  if (Array.isArray(textContent)) return textContent.map(String)
  const value = fieldType === 'Tx' && typeof fieldValue === 'string' ? fieldValue : ''
  return value !== '' ? value.split(/\r\n?|\n/) : (drawn.get(String(id)) ?? [])
}

/** Returns the text in the appearance streams of annotations, by id. */
async function drawnLines(page: PDFPageProxy, fonts: PdfFonts): Promise<Map<string, string[]>> {
  const operations = await pdfOperations()
  const { beginAnnotation, endAnnotation, setFont, showText, endText, moveText, nextLine, setTextMatrix } = operations
  const { fnArray, argsArray } = await page.getOperatorList()
  const used = argsArray.filter((_, index) => fnArray[index] === setFont).map((args: unknown[]) => String(args[0]))
  await loadFonts(page, new Set(used), fonts)
  const breaks = new Set([endText, moveText, nextLine, setTextMatrix])
  const drawn = new Map<string, string[]>()
  let lines: string[] | null = null
  let isNew = true
  let font = ''
  for (const [index, operation] of fnArray.entries()) {
    const args: unknown[] = argsArray[index] ?? []
    if (operation === beginAnnotation) {
      lines = []
      drawn.set(String(args[0]), lines)
    } else if (operation === endAnnotation) lines = null
    else if (operation === setFont) font = String(args[0])
    else if (breaks.has(operation)) isNew = true
    else if (lines && operation === showText) {
      const text = mapCharacters(textOfGlyphs(args[0]), fonts.get(font))
      if (isNew) lines.push(text)
      else lines.push((lines.pop() ?? '') + text)
      isNew = false
    }
  }
  return drawn
}

/** Numbers between glyphs move the next one to the left, in thousandths of the text size. */
function textOfGlyphs(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return ''
  const texts = glyphs.map((glyph: number | { unicode?: unknown } | null) =>
    typeof glyph === 'number' ? (glyph < -200 ? ' ' : '') : String(glyph?.unicode ?? ''),
  )
  return texts.join('')
}

/** Places lines below one another over the height of the annotation. */
function placeLines(all: string[], rect: unknown): PdfSpan[] {
  const lines = all.filter((line) => /[\p{L}\p{N}]/u.test(line))
  const [x = 0, y = 0, right = 0, top = 0] = Array.isArray(rect) ? rect.map(Number) : []
  const height = (top - y) / lines.length
  const size = Math.min(10, Math.max(1, height * 0.8))
  return lines.map((text, index) => {
    const [left, down] = toFrame([x, top - height * index - (height + size * 0.7) / 2], 0)
    const length = Math.max(size / 2, Math.min(right - x, text.length * size * 0.5))
    const frame = { left, right: left + length, y: down, size, angle: 0 }
    return {
      text,
      ...frame,
      font: '',
      isRightToLeft: false,
      order: -1,
      hasSpaceBefore: true,
      isContiguous: false,
      role: '',
    }
  })
}
