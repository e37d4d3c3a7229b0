import type { Cell, Row } from './cell'

/** Cells that are merged into one. Rows from 1, columns from 0. */
export interface MergedRange {
  top: number
  bottom: number
  left: number
  right: number
}

/** Ranges over several rows that are tracked at once; they are adjacent. */
const maxOpenRanges = 200

/**
 * Returns a function that applies merged cells to rows in order: a cell over several rows is repeated in each non-empty
 * row, a cell over several columns gets their number as `span`.
 */
export function createMergedCells(ranges: MergedRange[]): (row: Row) => Row {
  const pending = [...ranges].sort((first, second) => first.top - second.top)
  let next = 0
  let open: { range: MergedRange; cell: Cell }[] = []

  return ({ number, cells }) => {
    if (next === pending.length && open.length === 0) return { number, cells }
    open = open.filter(({ range }) => range.bottom >= number)
    const above = open.filter(({ range }) => !cells.some(({ column }) => column === range.left))
    for (let range = pending[next]; range && range.top <= number; range = pending[++next]) {
      const { top, bottom, left, right } = range
      const cell = cells.find(({ column }) => column === left)
      if (top !== number || !cell) continue
      cell.span = right - left + 1
      if (bottom > top && open.length < maxOpenRanges) open.push({ range, cell })
    }
    if (above.length === 0) return { number, cells }
    const filled = [...cells, ...above.map(({ cell }) => cell)]
    return { number, cells: filled.sort((first, second) => first.column - second.column) }
  }
}
