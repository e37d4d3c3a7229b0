import { fileLimits } from '../../limits'
import type { Block } from '../../ports'
import { type BlockFlow, createBlockFlow } from '../format/block-flow'

export interface WordTable {
  /** `before` columns are left out in front of the first cell. */
  openRow(): void
  skipColumns(count: number): void
  /** The row was deleted, and the deletion waits to be accepted. */
  dropRow(): void
  closeRow(): void
  /** Blocks of the cell go into the flow that it gives. */
  openCell(): BlockFlow
  span(columns: number): void
  /** The cell is part of a higher one: of the one above it, or the first of several. */
  merge(part: 'first' | 'further'): void
  closeCell(): void
  /** Puts what stands in the open cell so far, where that is long. */
  relieve(): void
  /** It holds another table, so it only arranges things. */
  holdTable(): void
  close(): void
}

/** Longer texts of merged cells and of first rows are not said again. */
const longestRepeated = { cell: 100, head: 1_000 }

/**
 * A table while it is read, put into the flow as one line a row, or, where it only arranges things (one column, or cells
 * with headings or other tables), as the blocks of its cells. Cells merged downwards say their text in every row.
 */
export function createWordTable(flow: BlockFlow): WordTable {
  let arranges: boolean | null = null
  let lines: string[] = []
  let head = ''
  let size = 0
  /** What is put in if it turns out that the table only arranges things. */
  let inner: Block[] = []
  let columns = 0
  let cells: string[] = []
  let cellBlocks: Block[] = []
  let cell: BlockFlow | null = null
  let column = 0
  let width = 1
  let part: 'first' | 'further' | null = null
  let isDropped = false
  const above = new Map<number, string>()

  function arrange(): void {
    if (arranges !== null) return
    arranges = true
    putAll(inner)
    putAll(cellBlocks)
    inner = []
    cellBlocks = []
    lines = []
  }

  function putAll(blocks: Block[]): void {
    for (const block of blocks) flow.put(block)
  }

  function flush(): void {
    if (lines.length > 0) flow.put({ kind: 'table', text: lines.join('\n'), anchor: null })
    lines = head !== '' && head.length <= longestRepeated.head ? [head] : []
    size = 0
  }

  return {
    openRow() {
      cells = []
      cellBlocks = []
      column = 0
      isDropped = false
    },
    skipColumns(count) {
      column += count
    },
    dropRow() {
      isDropped = true
    },
    closeRow() {
      if (isDropped) return
      columns = Math.max(columns, cells.length)
      if (arranges) return
      if (arranges === null) for (const block of cellBlocks) inner.push(block)
      cellBlocks = []
      if (!cells.some((cell) => cell !== '')) return
      const line = cells.join(' | ')
      head ||= line
      lines.push(line)
      size += line.length + 1
      // A block that is longer would be cut anywhere.
      if (size < fileLimits.word.blockCharacters / 2) return
      if (arranges === null && columns === 1) {
        arrange()
        return
      }
      arranges = false
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
      const blocks = cell?.takeAll() ?? []
      cell = null
      if (isDropped) return
      if (blocks.some((block) => block.kind === 'heading')) arrange()
      const own = blocks.map((block) => block.text.replaceAll('\n', ' ').trim()).join(' ')
      const text = part === 'further' ? own || (above.get(column) ?? '') : own
      if (part === 'first' && own.length <= longestRepeated.cell) above.set(column, own)
      if (part === null) above.delete(column)
      column += width
      cells.push(text)
      if (arranges) putAll(blocks)
      else if (arranges === null) for (const block of blocks) cellBlocks.push(block)
    },
    relieve() {
      if (cell === null || isDropped || cell.size() < fileLimits.word.blockCharacters) return
      arrange()
      putAll(cell.take())
    },
    holdTable: arrange,
    close() {
      if (columns <= 1) arrange()
      // The first row alone stands in front of rows that do not come.
      if (!arranges && (lines.length > 1 || lines[0] !== head || arranges === null)) flush()
    },
  }
}
