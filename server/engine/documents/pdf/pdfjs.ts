import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs'

const require = createRequire(import.meta.url)
const folder = dirname(require.resolve('pdfjs-dist/package.json'))
const canvasPackage = '@napi-rs/canvas'

/**
 * Opens a PDF with pdfjs in this thread: no worker, no network, no code generated from the file, no images decoded;
 * damage is skipped as far as possible. pdfjs takes over the bytes.
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
    // Makes the glyph names of fonts available.
    fontExtraProperties: true,
    // Every image is larger, so it is skipped before it is decoded.
    maxImageSize: 0,
    stopAtErrors: false,
    enableXfa: false,
    verbosity: 0,
  })
}

/** Returns the codes of drawing operations by name. */
export async function pdfOperations(): Promise<Record<string, number>> {
  return (await loadLibrary()).OPS
}

/** Whether pdfjs has a built-in CMap with this name. */
export function isKnownCMap(name: string): boolean {
  return /^Identity-[HV]$/.test(name) || (/^[\w-]+$/.test(name) && existsSync(`${folder}/cmaps/${name}.bcmap`))
}

function loadLibrary(): Promise<typeof import('pdfjs-dist/legacy/build/pdf.mjs')> {
  stubBrowserGlobals()
  // In Node, pdfjs imports its worker code from the file next to its own, and runs it in this thread.
  return import('pdfjs-dist/legacy/build/pdf.mjs')
}

/** Defines the browser globals that pdfjs expects when it is loaded. They are only used to draw. */
function stubBrowserGlobals(): void {
  const world = globalThis as Record<string, unknown>
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) world[name] ??= class {}
  try {
    // pdfjs loads this native package if it exists: megabytes of machine code only used to draw.
    const path = require.resolve(canvasPackage)
    require.cache[path] ??= Object.assign(Object.create(null), { id: path, loaded: true, exports: {} })
  } catch {
    // It is not installed, which pdfjs supports.
  }
}
