import type { Cell, CellKind, Row } from '../workbook/cell'
import { estimatePieces, startOf } from './row-parts'

/** Columns that are counted; more are not told. */
const counted = 60
/** Word pieces of it all: so that it stands in one fragment, beside the longest title and headings. */
const mostPieces = 165
/** Of the names in it. */
const namePieces = 30
/** Different values that are told, and signs of one. */
const mostValues = 10
const longestValue = 40

const words: Record<CellKind, string> = { text: 'text', number: 'number', date: 'date', truth: 'yes or no' }

interface Column {
  cells: number
  kinds: Record<CellKind, number>
  least: Cell | null
  most: Cell | null
  /** A date of which day and month cannot be told apart: what is least cannot be told either. */
  isUncertain: boolean
  /** Null where there are too many, or long ones. */
  values: Set<string> | null
}

/** Counts what the columns of a table hold, in memory that does not grow with its rows. */
export function createSummary() {
  const columns = new Map<number, Column>()
  let rows = 0

  return {
    count({ cells }: Row): void {
      rows++
      for (const cell of cells) {
        let column = columns.get(cell.column)
        if (!column) {
          if (columns.size >= counted) continue
          column = emptyColumn()
          columns.set(cell.column, column)
        }
        countCell(column, cell)
      }
    },
    /** As long as one fragment at most; columns without a name are called by their letters. Null where a row says as much. */
    tell(name: string, names: Map<number, string>, remark: string): string | null {
      if (rows < 2) return null
      const total = new Set([...columns.keys(), ...names.keys()]).size
      const title = name && ` ${startOf(name, namePieces)}`
      const head = `Summary of the table${title}: ${grouped(rows)} rows, ${countOfColumns(total)}.${remark && ` ${remark}`} Columns: `
      const end = (left: number) => (left > 0 ? `; and ${countOfColumns(left, ' more')}` : '')
      let room = mostPieces - estimatePieces(`${head}${end(total)}.`)
      const told: string[] = []
      for (const [at, column] of [...columns].sort(([one], [other]) => one - other)) {
        const called = startOf(names.get(at) || `column ${lettersOf(at)}`, namePieces)
        const part = [`${called} (${tellColumn(column)})`, `${called} (${kindOf(column)})`].find(
          (each) => estimatePieces(`${each};`) <= room,
        )
        if (part === undefined) continue
        room -= estimatePieces(`${part};`)
        told.push(part)
      }
      return `${head}${told.join('; ')}${end(total - told.length)}.`
    },
  }
}

function emptyColumn(): Column {
  const kinds = { text: 0, number: 0, date: 0, truth: 0 }
  return { cells: 0, kinds, least: null, most: null, isUncertain: false, values: new Set() }
}

function countCell(column: Column, cell: Cell): void {
  column.cells++
  column.kinds[cell.kind]++
  if (cell.kind === 'number' || cell.kind === 'date') {
    if (Number.isNaN(cell.value)) column.isUncertain = true
    else if (column.least?.kind !== cell.kind || cell.value < column.least.value)
      column.least = ownCopy(cell, column.least)
    if (!Number.isNaN(cell.value) && (column.most?.kind !== cell.kind || cell.value > column.most.value)) {
      column.most = ownCopy(cell, column.most)
    }
  }
  if (column.values === null || column.values.has(cell.text)) return
  if (column.values.size === mostValues || cell.text.length > longestValue) column.values = null
  else column.values.add(Buffer.from(cell.text).toString())
}

/** A part of a string keeps all of it in memory, which is a piece of the file. The first kind that is met stays. */
function ownCopy(cell: Cell, before: Cell | null): Cell {
  return before && before.kind !== cell.kind ? before : { ...cell, text: Buffer.from(cell.text).toString() }
}

function tellColumn(column: Column): string {
  const { cells, least, most, isUncertain, values } = column
  const kind = mainKind(column)
  const named = kindOf(column)
  if (kind === least?.kind && kind === most?.kind && least && most && !isUncertain) {
    return least.value === most.value ? `${named}: ${least.text}` : `${named}, ${least.text} to ${most.text}`
  }
  // Of values that stand in one row each, the rows tell.
  if (values && values.size < cells && kind !== 'number' && kind !== 'date') {
    return `${named}: ${[...values].join(', ')}`
  }
  return named
}

function kindOf(column: Column): string {
  const kind = mainKind(column)
  return kind ? words[kind] : 'mixed'
}

function mainKind({ kinds, cells }: Column): CellKind | undefined {
  return (Object.keys(words) as CellKind[]).find((each) => kinds[each] >= 0.9 * cells)
}

/** 'A' for the first column. */
export function lettersOf(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : lettersOf(Math.floor(column / 26) - 1) + letter
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

function countOfColumns(count: number, more = ''): string {
  return `${count}${more} column${count === 1 ? '' : 's'}`
}
