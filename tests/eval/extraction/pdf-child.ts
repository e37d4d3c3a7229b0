import { readPdf } from '../../../server/engine/documents/pdf/pdf'
import type { FileRefusal } from '../../../server/engine/documents/ports'

/** What the child says of a file. */
export interface PdfAnswer {
  text: string
  refused: FileRefusal | null
}

/** Reads one PDF after the other, as its parent names them. */
process.on('message', async (path: string) => {
  const texts: string[] = []
  let refused: FileRefusal | null = null
  for await (const part of readPdf(path)) {
    if (part.kind === 'blocks') texts.push(...part.blocks.map((block) => block.text))
    if (part.kind === 'refused') refused = part.reason
  }
  process.send?.({ text: texts.join('\n'), refused } satisfies PdfAnswer)
})
