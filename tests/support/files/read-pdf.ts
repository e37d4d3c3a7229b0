import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPdf } from '../../../server/engine/documents/pdf/pdf'

/** Reads a PDF; returns the texts of its blocks, or the reason of a refusal. */
export async function textsOfPdf(bytes: Uint8Array): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pdf-'))
  const texts: string[] = []
  try {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, bytes)
    for await (const part of readPdf(path)) {
      if (part.kind === 'blocks') texts.push(...part.blocks.map((block) => block.text))
      if (part.kind === 'refused') texts.push(part.reason)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return texts
}
