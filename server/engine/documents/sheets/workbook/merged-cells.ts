import type { Cell, Row } from './cell'

/** Cells that are shown as one. Rows from 1, columns from 0. */
export interface MergedRange {
  top: number
  bottom: number
  left: number
  right: number
}

/** Ranges over several rows that are minded at once; they stand side by side. */
const mostOpen = 200

/**
 * Gives rows, in their order, what a person reads in their merged cells: a cell that stands over several rows counts in
 * each of them that holds more, one that stands over several columns knows how many.
 */
export function createMerging(ranges: MergedRange[]): (row: Row) => Row {
  const waiting = [...ranges].sort((one, other) => one.top - other.top)
  let next = 0
  let open: { range: MergedRange; cell: Cell }[] = []

  return ({ number, cells }) => {
    if (next === waiting.length && open.length === 0) return { number, cells }
    open = open.filter(({ range }) => range.bottom >= number)
    const above = open.filter(({ range }) => !cells.some(({ column }) => column === range.left))
    for (let range = waiting[next]; range && range.top <= number; range = waiting[++next]) {
      const { top, bottom, left, right } = range
      const cell = cells.find(({ column }) => column === left)
      if (top !== number || !cell) continue
      cell.span = right - left + 1
      if (bottom > top && open.length < mostOpen) open.push({ range, cell })
    }
    if (above.length === 0) return { number, cells }
    const filled = [...cells, ...above.map(({ cell }) => cell)]
    return { number, cells: filled.sort((one, other) => one.column - other.column) }
  }
}
