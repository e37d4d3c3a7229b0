import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/types/src/display/api'
import { pdfOperations } from '../pdfjs'

/**
 * Returns which parts of a page are in hidden layers. `around` has, for each part in the order of the page, the index
 * of the part that contains it, or -1. Returns none if the operator list has another number of parts than the text,
 * since they cannot be matched then.
 */
export async function hiddenLayerParts(
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
    const drawn = argsArray.filter((args, index) => {
      return (end < 0 || index < end) && fnArray[index] === beginMarkedContentProps && args?.[0] === 'OC'
    })
    if (drawn.length !== around.length) return hidden
    for (const [part, args] of drawn.entries()) {
      if (hidden.has(around[part] ?? -1) || !layers.isVisible(args[1])) hidden.add(part)
    }
  } catch {
    // Without layers, everything is visible.
  }
  return hidden
}
