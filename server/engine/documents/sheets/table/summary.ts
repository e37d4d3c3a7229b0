import type { Cell, CellKind, Row } from '../workbook/cell'
import { estimateTokens, truncateToTokens } from './row-parts'

/** Columns that are counted and listed. */
const maxColumns = 60
/** Tokens of a summary, so that it fits into one fragment with the longest title and headings. */
const maxTokens = 165
/** Tokens of a name. */
const maxNameTokens = 30
/** Distinct values that are listed, and characters of one. */
const maxValues = 10
const maxValueLength = 40

const kindNames: Record<CellKind, string> = { text: 'text', number: 'number', date: 'date', boolean: 'yes or no' }

interface Column {
  cells: number
  kinds: Record<CellKind, number>
  min: Cell | null
  max: Cell | null
  /** Some dates are ambiguous in day and month, so that minimum and maximum are unknown. */
  isUncertain: boolean
  /** Null if there are too many, or long ones. */
  values: Set<string> | null
}

/** Collects statistics of the columns of a table, in memory that does not grow with its rows. */
export function createSummary() {
  const columns = new Map<number, Column>()
  let rows = 0

  return {
    count({ cells }: Row): void {
      rows++
      for (const cell of cells) {
        let column = columns.get(cell.column)
        if (!column) {
          if (columns.size >= maxColumns) continue
          column = emptyColumn()
          columns.set(cell.column, column)
        }
        countCell(column, cell)
      }
    },
    /**
     * Returns a text of at most one fragment; columns without a name are called by their letters. Null for less than
     * two rows.
     */
    describe(name: string, names: Map<number, string>, remark: string): string | null {
      if (rows < 2) return null
      const total = new Set([...columns.keys(), ...names.keys()]).size
      const title = name && ` ${truncateToTokens(name, maxNameTokens)}`
      const head = `Summary of the table${title}: ${grouped(rows)} rows, ${countOfColumns(total)}.${remark && ` ${remark}`} Columns: `
      const end = (left: number) => (left > 0 ? `; and ${countOfColumns(left, ' more')}` : '')
      let remaining = maxTokens - estimateTokens(`${head}${end(total)}.`)
      const listed: string[] = []
      for (const [index, column] of [...columns].sort(([number], [otherNumber]) => number - otherNumber)) {
        const label = truncateToTokens(names.get(index) || `column ${lettersOf(index)}`, maxNameTokens)
        const part = [`${label} (${describeColumn(column)})`, `${label} (${kindOf(column)})`].find(
          (each) => estimateTokens(`${each};`) <= remaining,
        )
        if (part === undefined) continue
        remaining -= estimateTokens(`${part};`)
        listed.push(part)
      }
      return `${head}${listed.join('; ')}${end(total - listed.length)}.`
    },
  }
}

function emptyColumn(): Column {
  const kinds = { text: 0, number: 0, date: 0, boolean: 0 }
  return { cells: 0, kinds, min: null, max: null, isUncertain: false, values: new Set() }
}

function countCell(column: Column, cell: Cell): void {
  column.cells++
  column.kinds[cell.kind]++
  if (cell.kind === 'number' || cell.kind === 'date') {
    if (Number.isNaN(cell.value)) column.isUncertain = true
    else if (column.min?.kind !== cell.kind || cell.value < column.min.value) column.min = ownCopy(cell, column.min)
    if (!Number.isNaN(cell.value) && (column.max?.kind !== cell.kind || cell.value > column.max.value)) {
      column.max = ownCopy(cell, column.max)
    }
  }
  if (column.values === null || column.values.has(cell.text)) return
  if (column.values.size === maxValues || cell.text.length > maxValueLength) column.values = null
  else column.values.add(Buffer.from(cell.text).toString())
}

/** Copies the text: a slice would keep the chunk of the file in memory. The kind met first wins. */
function ownCopy(cell: Cell, before: Cell | null): Cell {
  return before && before.kind !== cell.kind ? before : { ...cell, text: Buffer.from(cell.text).toString() }
}

function describeColumn(column: Column): string {
  const { cells, min, max, isUncertain, values } = column
  const kind = mainKind(column)
  const kindName = kindOf(column)
  if (kind === min?.kind && kind === max?.kind && min && max && !isUncertain) {
    return min.value === max.value ? `${kindName}: ${min.text}` : `${kindName}, ${min.text} to ${max.text}`
  }
  // Values that occur once each are in the rows.
  if (values && values.size < cells && kind !== 'number' && kind !== 'date') {
    return `${kindName}: ${[...values].join(', ')}`
  }
  return kindName
}

function kindOf(column: Column): string {
  const kind = mainKind(column)
  return kind ? kindNames[kind] : 'mixed'
}

function mainKind({ kinds, cells }: Column): CellKind | undefined {
  return (Object.keys(kindNames) as CellKind[]).find((each) => kinds[each] >= 0.9 * cells)
}

/** Returns 'A' for column 0. */
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
