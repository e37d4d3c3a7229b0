import { open } from 'node:fs/promises'
import type { Block } from '../../ports'
import { openZip } from '../containers/zip-archive'
import { RefusedFile, refusing } from '../format/unreadable-file'
import type { FileFormat, FilePart } from '../ports'
import { createTable } from './table/table'
import type { Sheet, Workbook } from './workbook/workbook'
import { openXls } from './workbook/xls'
import { openXlsx } from './workbook/xlsx'

/**
 * Reads a workbook of either format as a person sees it: values in their formats, without what is hidden, formulas by
 * their last results. Each row is a line of 'name: value', with the anchor 'sheet=Prices&row=7'.
 */
export const readSheet: FileFormat = (path) => refusing(readParts(path))

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
    if (bytesRead === 0) throw new RefusedFile('file-empty')
    return buffer.toString('latin1') === 'PK'
  } finally {
    await file.close()
  }
}

async function* partsOf({ facts, sheets }: Workbook): AsyncGenerator<FilePart> {
  yield { kind: 'facts', facts }
  let isEmpty = true
  let isCut = false
  for (const sheet of sheets) {
    const anchor = `sheet=${encodeURIComponent(sheet.name.toWellFormed())}`
    const name = sheets.length > 1 || isTelling(sheet.name) ? sheet.name : ''
    const table = createTable({ name, anchor, anchorOf: (row) => `${anchor}&row=${row}` })
    let heading: Block[] = name === '' ? [] : [{ kind: 'heading', level: 1, text: name, anchor }]
    for await (const { rows, done, total } of sheet.rows()) {
      const blocks = rows.flatMap((row) => table.take(row))
      if (rows.length > 0) {
        isEmpty = false
        if (heading.length > 0) yield { kind: 'blocks', blocks: heading }
        heading = []
      }
      if (blocks.length > 0) yield { kind: 'blocks', blocks }
      yield { kind: 'progress', done, total }
    }
    const blocks = table.end(remarkOn(sheet))
    if (blocks.length > 0) yield { kind: 'blocks', blocks }
    isCut ||= table.isCut()
  }
  if (isEmpty) throw new RefusedFile('file-empty')
  if (isCut) yield { kind: 'note', reason: 'file-shortened' }
}

/** The names that programs give, as 'Sheet1' in any language, say nothing. */
function isTelling(name: string): boolean {
  return !/^\p{L}+ ?\d+$/u.test(name)
}

function remarkOn({ hidden }: Sheet): string {
  const counts = [
    { count: hidden.rows, one: 'hidden row' },
    { count: hidden.columns, one: 'hidden column' },
  ]
  const parts = counts
    .filter(({ count }) => count > 0)
    .map(({ count, one }) => `${count} ${one}${count > 1 ? 's' : ''}`)
  return parts.length > 0 ? `Left out: ${parts.join(' and ')}.` : ''
}
