import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs'

const require = createRequire(import.meta.url)
const folder = dirname(require.resolve('pdfjs-dist/package.json'))
const canvasPackage = '@napi-rs/canvas'

/**
 * Starts to open a PDF with pdfjs in this thread: no second thread, no network, no code made from the file, no images
 * decoded, damage passed over as far as it goes. The bytes change hands.
 */
export async function openPdf(data: Uint8Array): Promise<PDFDocumentLoadingTask> {
  const { getDocument } = await loadLibrary()
  return getDocument({
    data,
    cMapUrl: `${folder}/cmaps/`,
    standardFontDataUrl: `${folder}/standard_fonts/`,
    isEvalSupported: false,
    useWasm: false,
    useSystemFonts: false,
    disableFontFace: true,
    // Names of glyphs are told with the fonts.
    fontExtraProperties: true,
    // Every image is larger and is left out before it is decoded.
    maxImageSize: 0,
    stopAtErrors: false,
    enableXfa: false,
    verbosity: 0,
  })
}

/** Numbers of the operations that draw a page, by their names. */
export async function pdfOperations(): Promise<Record<string, number>> {
  return (await loadLibrary()).OPS
}

/** Whether pdfjs has a table of character codes of its own by this name. */
export function isKnownCMap(name: string): boolean {
  return /^Identity-[HV]$/.test(name) || (/^[\w-]+$/.test(name) && existsSync(`${folder}/cmaps/${name}.bcmap`))
}

function loadLibrary(): Promise<typeof import('pdfjs-dist/legacy/build/pdf.mjs')> {
  standIn()
  // In Node, pdfjs imports its worker's half from the file beside its own and runs it in this thread.
  return import('pdfjs-dist/legacy/build/pdf.mjs')
}

/** What pdfjs expects of a browser when it is loaded. It is used to draw, which does not happen here. */
function standIn(): void {
  const world = globalThis as Record<string, unknown>
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) world[name] ??= class {}
  try {
    // pdfjs loads this native package if it is there: megabytes of machine code that would only draw.
    const place = require.resolve(canvasPackage)
    require.cache[place] ??= Object.assign(Object.create(null), { id: place, loaded: true, exports: {} })
  } catch {
    // It is not installed, and pdfjs does without.
  }
}
