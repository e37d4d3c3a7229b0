import type { Cell, CellKind, Row } from './sheet-cell'

/** Columns that are counted; more are not told. */
const counted = 60
const mostWords = 170
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
    /** In at most 180 words; columns without a name are called by their letters. Null where a row says as much. */
    tell(name: string, names: Map<number, string>, remark: string): string | null {
      if (rows < 2) return null
      const known = [...columns].sort(([one], [other]) => one - other)
      const total = new Set([...columns.keys(), ...names.keys()]).size
      const parts = known.map(([at, column]) => `${names.get(at) || `column ${lettersOf(at)}`} (${tellColumn(column)})`)
      const head = `Summary of the table${name && ` ${name}`}: ${grouped(rows)} rows, ${total} column${total === 1 ? '' : 's'}.${remark && ` ${remark}`} Columns: `
      let room = mostWords - countWords(head)
      const told = parts.filter((part) => {
        room -= countWords(part)
        return room > 0
      })
      const left = total - told.length
      return `${head}${told.join('; ')}${left > 0 ? `; and ${left} more` : ''}.`
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

function tellColumn({ cells, kinds, least, most, isUncertain, values }: Column): string {
  const kind = (Object.keys(words) as CellKind[]).find((each) => kinds[each] >= 0.9 * cells)
  const named = kind ? words[kind] : 'mixed'
  if (kind === least?.kind && kind === most?.kind && least && most && !isUncertain) {
    return least.value === most.value ? `${named}: ${least.text}` : `${named}, ${least.text} to ${most.text}`
  }
  // Of values that stand in one row each, the rows tell.
  if (values && values.size < cells && kind !== 'number' && kind !== 'date') {
    return `${named}: ${[...values].join(', ')}`
  }
  return named
}

/** 'A' for the first column. */
export function lettersOf(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : lettersOf(Math.floor(column / 26) - 1) + letter
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}
