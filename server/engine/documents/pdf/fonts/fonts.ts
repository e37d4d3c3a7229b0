import type { PDFPageProxy } from 'pdfjs-dist/types/src/display/api'
import { fileLimits } from '../../../limits'
import { dingbatOf, textOfGlyph } from './glyphs'

/** What is known of a font. */
export interface PdfFont {
  isBold: boolean
  /** What pdfjs takes for a character, and the text that its glyph stands for. */
  letters: ReadonlyMap<string, string>
}

/** Fonts by the names that pdfjs gives them. */
export type PdfFonts = Map<string, PdfFont>

/** The parts of pdfjs's font that are looked at; of a simple font, what stands under its codes. */
interface LoadedFont {
  name?: unknown
  bold?: unknown
  black?: unknown
  composite?: unknown
  differences?: unknown
  toUnicode?: { _map?: unknown } | null
}

const plain: PdfFont = { isBold: false, letters: new Map() }

/**
 * Looks up fonts of a page that are not yet known. They are told only with the drawing of the page, which is listed for it,
 * without images, and not drawn.
 */
export async function learnFonts(page: PDFPageProxy, names: Iterable<string>, fonts: PdfFonts): Promise<void> {
  const unknown = [...names].filter((name) => name !== '' && !fonts.has(name))
  if (unknown.length === 0 || fonts.size >= fileLimits.pdf.fonts) return
  for (const name of unknown) fonts.set(name, plain)
  try {
    await page.getOperatorList()
    for (const name of unknown) if (page.commonObjs.has(name)) fonts.set(name, fontOf(page.commonObjs.get(name)))
  } catch {
    // Without weights, sizes alone make headings.
  }
}

function fontOf(font: LoadedFont | null): PdfFont {
  const name = String(font?.name ?? '')
  return {
    isBold: Boolean(font?.bold || font?.black) || /bold|black|heavy|semibold/i.test(name),
    letters:
      font && !font.composite ? lettersOf(font, /^(?:[A-Z]{6}\+)?(?:ITC)?ZapfDingbats/i.test(name)) : plain.letters,
  }
}

/**
 * For a code without a known letter, pdfjs tells the character that has the same number. Not replaced is one that the font
 * writes with another code.
 */
function lettersOf({ differences, toUnicode }: LoadedFont, isDingbats: boolean): Map<string, string> {
  const letters = new Map<string, string>()
  const known = tableOf(toUnicode?._map)
  const names = tableOf(differences)
  const written = new Set([...names.keys()].map((code) => known.get(code)))
  for (let code = 1; code < 256; code += 1) {
    const name = names.get(code)
    const text = known.has(code) ? null : name ? textOfGlyph(name) : isDingbats ? dingbatOf(code) : null
    const character = String.fromCharCode(code)
    if (text !== null && text !== character && !written.has(character)) letters.set(character, text)
  }
  return letters
}

/** An array with holes, by its places. */
function tableOf(values: unknown): Map<number, string> {
  const table = new Map<number, string>()
  if (!Array.isArray(values)) return table
  values.forEach((value, code) => {
    if (typeof value === 'string' && value !== '') table.set(code, value)
  })
  return table
}

/** A text with the letters of its font. */
export function inLetters(text: string, font: PdfFont | undefined): string {
  if (!font || font.letters.size === 0) return text
  return Array.from(text, (character) => font.letters.get(character) ?? character).join('')
}
