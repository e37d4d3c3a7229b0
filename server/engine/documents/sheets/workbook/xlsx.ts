import type { ZipArchive } from '../../containers/zip-archive'
import { readRanges } from './cell-refs'
import { createMerging } from './merged-cells'
import { readStrings } from './shared-strings'
import type { HiddenParts, Sheet, Workbook } from './workbook'
import { readWorkbook } from './xlsx-parts'
import { createRowReader } from './xlsx-rows'

/**
 * Opens a workbook of Office Open XML. Its sheets are read as they are unpacked, one after the other, so that memory holds
 * no more than the texts that cells share. Throws RefusedFile.
 */
export async function openXlsx(archive: ZipArchive): Promise<Workbook> {
  const parts = await readWorkbook(archive)
  const strings = parts.strings === null ? { at: () => '' } : await readStrings(archive.read(parts.strings))
  const total = parts.sheets.reduce((sum, { entry }) => sum + archive.sizeOf(entry), 0)
  let done = 0

  function sheetOf({ name, entry }: { name: string; entry: string }): Sheet {
    const hidden: HiddenParts = { rows: 0, columns: 0 }
    return {
      name,
      hidden,
      async *rows() {
        const ranges = await readRanges(archive.read(entry))
        const reader = createRowReader({ ...parts, strings, ranges, hidden })
        const merge = createMerging(ranges.merged)
        for await (const piece of archive.read(entry)) {
          const rows = reader.write(piece).map(merge)
          done += piece.length
          yield { rows, done, total }
        }
        yield { rows: reader.end().map(merge), done, total }
      },
    }
  }

  return { facts: parts.facts, sheets: parts.sheets.map(sheetOf) }
}
