import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/types/src/display/api'
import { pdfOperations } from '../pdfjs'

/**
 * Which parts of a page are in layers that are switched off. `around` has for each part of a layer, in the order of the
 * page, the part that it is in, or -1. None where the drawing of the page has not as many such parts as its text: then it
 * cannot be told which is which.
 */
export async function hiddenParts(
  document: PDFDocumentProxy,
  page: PDFPageProxy,
  around: number[],
): Promise<ReadonlySet<number>> {
  const hidden = new Set<number>()
  if (around.length === 0) return hidden
  try {
    const layers = await document.getOptionalContentConfig()
    const { beginMarkedContentProps, beginAnnotation } = await pdfOperations()
    const { fnArray, argsArray } = await page.getOperatorList()
    const end = fnArray.indexOf(beginAnnotation ?? -1)
    const drawn = argsArray.filter((args, at) => {
      return (end < 0 || at < end) && fnArray[at] === beginMarkedContentProps && args?.[0] === 'OC'
    })
    if (drawn.length !== around.length) return hidden
    for (const [part, args] of drawn.entries()) {
      if (hidden.has(around[part] ?? -1) || !layers.isVisible(args[1])) hidden.add(part)
    }
  } catch {
    // Without layers everything shows.
  }
  return hidden
}
