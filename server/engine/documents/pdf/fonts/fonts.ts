import type { PDFPageProxy } from 'pdfjs-dist/types/src/display/api'
import { fileLimits } from '../../../limits'
import { dingbatOf, textOfGlyph } from './glyphs'

export interface PdfFont {
  isBold: boolean
  /** Text by the character that pdfjs returns for a glyph. */
  characterMap: ReadonlyMap<string, string>
}

/** Fonts by pdfjs's names. */
export type PdfFonts = Map<string, PdfFont>

/** The properties of pdfjs's font that are read; for a simple font, by code. */
interface LoadedFont {
  name?: unknown
  bold?: unknown
  black?: unknown
  composite?: unknown
  differences?: unknown
  toUnicode?: { _map?: unknown } | null
}

const plainFont: PdfFont = { isBold: false, characterMap: new Map() }

/**
 * Loads fonts of a page that are not known yet. pdfjs only loads them with the operator list of a page, which is
 * requested for it without images.
 */
export async function loadFonts(page: PDFPageProxy, names: Iterable<string>, fonts: PdfFonts): Promise<void> {
  const missing = [...names].filter((name) => name !== '' && !fonts.has(name))
  if (missing.length === 0 || fonts.size >= fileLimits.pdf.fonts) return
  for (const name of missing) fonts.set(name, plainFont)
  try {
    await page.getOperatorList()
    for (const name of missing) if (page.commonObjs.has(name)) fonts.set(name, fontOf(page.commonObjs.get(name)))
  } catch {
    // Without font weights, headings are found by size only.
  }
}

function fontOf(font: LoadedFont | null): PdfFont {
  const name = String(font?.name ?? '')
  return {
    isBold: Boolean(font?.bold || font?.black) || /bold|black|heavy|semibold/i.test(name),
    characterMap:
      font && !font.composite
        ? characterMapOf(font, /^(?:[A-Z]{6}\+)?(?:ITC)?ZapfDingbats/i.test(name))
        : plainFont.characterMap,
  }
}

/**
 * Returns the text of codes without a known mapping, for which pdfjs returns the character with the same number. A
 * character that the font maps from another code is not replaced.
 */
function characterMapOf({ differences, toUnicode }: LoadedFont, isDingbats: boolean): Map<string, string> {
  const letters = new Map<string, string>()
  const mapping = tableOf(toUnicode?._map)
  const names = tableOf(differences)
  const mappedCharacters = new Set([...names.keys()].map((code) => mapping.get(code)))
  for (let code = 1; code < 256; code += 1) {
    const name = names.get(code)
    const text = mapping.has(code) ? null : name ? textOfGlyph(name) : isDingbats ? dingbatOf(code) : null
    const character = String.fromCharCode(code)
    if (text !== null && text !== character && !mappedCharacters.has(character)) letters.set(character, text)
  }
  return letters
}

/** Converts a sparse array to a map by index. */
function tableOf(values: unknown): Map<number, string> {
  const table = new Map<number, string>()
  if (!Array.isArray(values)) return table
  values.forEach((value, code) => {
    if (typeof value === 'string' && value !== '') table.set(code, value)
  })
  return table
}

/** Replaces characters by the text of their glyphs. */
export function mapCharacters(text: string, font: PdfFont | undefined): string {
  if (!font || font.characterMap.size === 0) return text
  return Array.from(text, (character) => font.characterMap.get(character) ?? character).join('')
}
