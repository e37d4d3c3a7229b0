import { open } from 'node:fs/promises'
import type { Block } from '../../ports/extractor'
import { openZip } from '../containers/zip-archive'
import { catchUnreadable, UnreadableFile } from '../format/unreadable-file'
import type { FileFormat, FilePart } from '../ports'
import { createTable } from './table/table'
import type { Sheet, Workbook } from './workbook/workbook'
import { openXls } from './workbook/xls'
import { openXlsx } from './workbook/xlsx'

/**
 * Reads a workbook of either format as a person sees it: formatted values, no hidden cells, and the last results of
 * formulas. Each row is a line of 'name: value' pairs, with the anchor 'sheet=Prices&row=7'.
 */
export const readSheet: FileFormat = (path) => catchUnreadable(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  if (!(await isArchive(path))) {
    yield* partsOf(await openXls(path))
    return
  }
  const archive = await openZip(path)
  try {
    yield* partsOf(await openXlsx(archive))
  } finally {
    archive.close()
  }
}

async function isArchive(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    if (bytesRead === 0) throw new UnreadableFile('file-empty')
    return buffer.toString('latin1') === 'PK'
  } finally {
    await file.close()
  }
}

async function* partsOf({ facts, sheets }: Workbook): AsyncGenerator<FilePart> {
  yield { kind: 'facts', facts }
  let isEmpty = true
  let isTruncated = false
  for (const sheet of sheets) {
    const anchor = `sheet=${encodeURIComponent(sheet.name.toWellFormed())}`
    const name = sheets.length > 1 || isMeaningful(sheet.name) ? sheet.name : ''
    const table = createTable({ name, anchor, anchorOf: (row) => `${anchor}&row=${row}` })
    let heading: Block[] = name === '' ? [] : [{ kind: 'heading', level: 1, text: name, anchor }]
    for await (const { rows, done, total } of sheet.rows()) {
      const blocks = rows.flatMap((row) => table.add(row))
      if (rows.length > 0) {
        isEmpty = false
        if (heading.length > 0) yield { kind: 'blocks', blocks: heading }
        heading = []
      }
      if (blocks.length > 0) yield { kind: 'blocks', blocks }
      yield { kind: 'progress', done, total }
    }
    const blocks = table.end(remarkAbout(sheet))
    if (blocks.length > 0) yield { kind: 'blocks', blocks }
    isTruncated ||= table.isTruncated()
  }
  if (isEmpty) throw new UnreadableFile('file-empty')
  if (isTruncated) yield { kind: 'note', reason: 'file-shortened' }
}

/** Whether a name is not a default, such as 'Sheet1' in any language. */
function isMeaningful(name: string): boolean {
  return !/^\p{L}+ ?\d+$/u.test(name)
}

function remarkAbout({ hidden }: Sheet): string {
  const counts = [
    { count: hidden.rows, one: 'hidden row' },
    { count: hidden.columns, one: 'hidden column' },
  ]
  const parts = counts
    .filter(({ count }) => count > 0)
    .map(({ count, one }) => `${count} ${one}${count > 1 ? 's' : ''}`)
  return parts.length > 0 ? `Left out: ${parts.join(' and ')}.` : ''
}
