import type { ZipArchive } from '../../containers/zip-archive'
import { readRanges } from './cell-refs'
import { createMergedCells } from './merged-cells'
import { readSharedStrings } from './shared-strings'
import type { HiddenParts, Sheet, Workbook } from './workbook'
import { readWorkbook } from './xlsx-parts'
import { createRowReader } from './xlsx-rows'

/**
 * Opens an Office Open XML workbook. Sheets are read while they are decompressed, one after the other; only the shared
 * strings are in memory. Throws UnreadableFile.
 */
export async function openXlsx(archive: ZipArchive): Promise<Workbook> {
  const parts = await readWorkbook(archive)
  const strings = parts.strings === null ? { at: () => '' } : await readSharedStrings(archive.read(parts.strings))
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
        const merge = createMergedCells(ranges.merged)
        for await (const chunk of archive.read(entry)) {
          const rows = reader.write(chunk).map(merge)
          done += chunk.length
          yield { rows, done, total }
        }
        yield { rows: reader.end().map(merge), done, total }
      },
    }
  }

  return { facts: parts.facts, sheets: parts.sheets.map(sheetOf) }
}
