import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPdf } from '../../server/engine/documents/pdf/pdf'
import { makePdf } from '../support/files/pdf'

test('reads a page of 150,000 scattered letters', { timeout: 60_000 }, async () => {
  const texts = Array.from({ length: 150_000 }, (_, n) => ({ text: 'a', x: (n % 300) * 2, y: 790 - (n / 300) * 1.5 }))
  const folder = mkdtempSync(join(tmpdir(), 'pdf-'))
  try {
    const path = join(folder, 'letters.pdf')
    writeFileSync(path, makePdf({ pages: [{ texts }] }))
    const kinds = new Set<string>()
    for await (const part of readPdf(path)) kinds.add(part.kind)
    expect([...kinds]).toEqual(['facts', 'progress', 'blocks'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
