import type { FileFacts } from '../../ports'
import type { Row } from './cell'

/** What was left out of a sheet as nobody sees it. */
export interface HiddenParts {
  rows: number
  columns: number
}

export interface Sheet {
  name: string
  /** Those that hold something and are shown, in batches, and how far the reading of the workbook is. */
  rows(): AsyncIterable<{ rows: Row[]; done: number; total: number }>
  /** Complete when the rows are read. */
  hidden: HiddenParts
}

export interface Workbook {
  facts: FileFacts
  /** Those that are shown. */
  sheets: Sheet[]
}
