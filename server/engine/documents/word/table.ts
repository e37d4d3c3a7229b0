import { fileLimits } from '../../limits'
import type { Block } from '../../ports/extractor'
import { type BlockFlow, createBlockFlow } from '../format/block-flow'

export interface WordTable {
  openRow(): void
  skipColumns(count: number): void
  /** The row is a tracked deletion. */
  dropRow(): void
  closeRow(): void
  /** Returns the flow for the blocks of the cell. */
  openCell(): BlockFlow
  span(columns: number): void
  /** Marks the cell as part of a vertically merged one. */
  merge(part: 'first' | 'further'): void
  closeCell(): void
  /** Emits what the open cell has so far if it is long. */
  flushCell(): void
  /** The cell contains another table, so this one is for layout. */
  markNested(): void
  close(): void
}

/** Longer texts of merged cells and of first rows are not repeated. */
const maxRepeatedLength = { cell: 100, firstLine: 1_000 }

/**
 * A table while it is read. It becomes a block with one line per row, or, if it is for layout (one column, or cells
 * with headings or tables), the blocks of its cells. Vertically merged cells repeat their text in every row.
 */
export function createWordTable(flow: BlockFlow): WordTable {
  let isLayout: boolean | null = null
  let lines: string[] = []
  let firstLine = ''
  let size = 0
  /** Blocks to emit if the table turns out to be for layout. */
  let inner: Block[] = []
  let columns = 0
  let cells: string[] = []
  let cellBlocks: Block[] = []
  let cell: BlockFlow | null = null
  let column = 0
  let width = 1
  let part: 'first' | 'further' | null = null
  let isDeleted = false
  const mergedTexts = new Map<number, string>()

  function switchToLayout(): void {
    if (isLayout !== null) return
    isLayout = true
    emit(inner)
    emit(cellBlocks)
    inner = []
    cellBlocks = []
    lines = []
  }

  function emit(blocks: Block[]): void {
    for (const block of blocks) flow.add(block)
  }

  function flush(): void {
    if (lines.length > 0) flow.add({ kind: 'table', text: lines.join('\n'), anchor: null })
    lines = firstLine !== '' && firstLine.length <= maxRepeatedLength.firstLine ? [firstLine] : []
    size = 0
  }

  return {
    openRow() {
      cells = []
      cellBlocks = []
      column = 0
      isDeleted = false
    },
    skipColumns(count) {
      column += count
    },
    dropRow() {
      isDeleted = true
    },
    closeRow() {
      if (isDeleted) return
      columns = Math.max(columns, cells.length)
      if (isLayout) return
      if (isLayout === null) for (const block of cellBlocks) inner.push(block)
      cellBlocks = []
      if (!cells.some((cell) => cell !== '')) return
      const line = cells.join(' | ')
      firstLine ||= line
      lines.push(line)
      size += line.length + 1
      // A longer block would be split anywhere.
      if (size < fileLimits.word.blockCharacters / 2) return
      if (isLayout === null && columns === 1) {
        switchToLayout()
        return
      }
      isLayout = false
      inner = []
      flush()
    },
    openCell() {
      width = 1
      part = null
      cell = createBlockFlow()
      return cell
    },
    span(count) {
      width = count
    },
    merge(which) {
      part = which
    },
    closeCell() {
      const blocks = cell?.flush() ?? []
      cell = null
      if (isDeleted) return
      if (blocks.some((block) => block.kind === 'heading')) switchToLayout()
      const own = blocks.map((block) => block.text.replaceAll('\n', ' ').trim()).join(' ')
      const text = part === 'further' ? own || (mergedTexts.get(column) ?? '') : own
      if (part === 'first' && own.length <= maxRepeatedLength.cell) mergedTexts.set(column, own)
      if (part === null) mergedTexts.delete(column)
      column += width
      cells.push(text)
      if (isLayout) emit(blocks)
      else if (isLayout === null) for (const block of blocks) cellBlocks.push(block)
    },
    flushCell() {
      if (cell === null || isDeleted || cell.size() < fileLimits.word.blockCharacters) return
      switchToLayout()
      emit(cell.drain())
    },
    markNested: switchToLayout,
    close() {
      if (columns <= 1) switchToLayout()
      // A repeated first line without further rows is not emitted.
      if (!isLayout && (lines.length > 1 || lines[0] !== firstLine || isLayout === null)) flush()
    },
  }
}
