import { SSF } from '@e965/xlsx'
import { type Cell, onOneLine } from './cell'

export interface NumberFormat {
  /** As spreadsheets write it: '0.00', 'yyyy-mm-dd'; 'General' where none is set. */
  code: string
  isDate: boolean
}

const builtIn = { ...(SSF.get_table() as Record<number, string>) }

/** Those that follow the country of whoever looks; written so that nobody takes the day for the month. */
const ofCountry: Record<string, string> = {
  'm/d/yy': 'yyyy-mm-dd',
  'm/d/yy h:mm': 'yyyy-mm-dd hh:mm',
}

export const general: NumberFormat = { code: 'General', isDate: false }

/** A format by its number in a workbook: of those that every workbook has, or one of its own. */
export function formatOf(id: number, own: Map<number, string>): NumberFormat {
  // In the languages of East Asia these are dates, and nothing elsewhere.
  const isEastern = (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
  return formatNamed(own.get(id) ?? builtIn[id] ?? (isEastern ? 'yyyy-mm-dd' : 'General'))
}

export function formatNamed(code: string): NumberFormat {
  const known = ofCountry[code] ?? code
  if (!isDate(known)) return { code: known, isDate: false }
  // SheetJS takes a full stop for the start of fractions of a second, wherever it is.
  return { code: known.replace(/(?<!\\)\.(?!0)/g, '\\.'), isDate: true }
}

function isDate(code: string): boolean {
  try {
    return SSF.is_date(code) as boolean
  } catch {
    return false
  }
}

/** Null where it is no number; a format may hide one, which then is empty text. */
export function numberCell(column: number, value: number, format: NumberFormat, from1904: boolean): Cell | null {
  if (Number.isNaN(value)) return null
  const text = onOneLine(formatNumber(value, format, from1904))
  return { column, text, kind: format.isDate ? 'date' : 'number', value, span: 1 }
}

/** As a person sees it. */
function formatNumber(value: number, format: NumberFormat, from1904: boolean): string {
  // Numbers of articles and accounts would become powers of ten.
  if (format.code === 'General' && Number.isSafeInteger(value)) return String(value)
  try {
    return String(SSF.format(format.code, value, { date1904: from1904 }))
  } catch {
    return String(value)
  }
}
