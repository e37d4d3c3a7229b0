import type { FileFacts } from '../../ports'
import type { Row } from './cell'

/** Counts of skipped hidden rows and columns. */
export interface HiddenParts {
  rows: number
  columns: number
}

export interface Sheet {
  name: string
  /** Visible non-empty rows in batches, with the progress within the workbook. */
  rows(): AsyncIterable<{ rows: Row[]; done: number; total: number }>
  /** Complete once the rows are read. */
  hidden: HiddenParts
}

export interface Workbook {
  facts: FileFacts
  /** Visible sheets. */
  sheets: Sheet[]
}
