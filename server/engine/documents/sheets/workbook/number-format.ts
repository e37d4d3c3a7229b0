import { SSF } from '@e965/xlsx'
import { type Cell, onOneLine } from './cell'

export interface NumberFormat {
  /** A format code such as '0.00' or 'yyyy-mm-dd'; 'General' by default. */
  code: string
  isDate: boolean
}

const builtIn = { ...(SSF.get_table() as Record<number, string>) }

/** Formats that depend on the locale of the viewer, with an unambiguous replacement. */
const localeFormats: Record<string, string> = {
  'm/d/yy': 'yyyy-mm-dd',
  'm/d/yy h:mm': 'yyyy-mm-dd hh:mm',
}

export const general: NumberFormat = { code: 'General', isDate: false }

/** Returns a number format by its id: one of the workbook's own, or a built-in one. */
export function formatOf(id: number, own: Map<number, string>): NumberFormat {
  // In East Asian locales these ids are dates; elsewhere they are unused.
  const isEastern = (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
  return formatOfCode(own.get(id) ?? builtIn[id] ?? (isEastern ? 'yyyy-mm-dd' : 'General'))
}

export function formatOfCode(code: string): NumberFormat {
  const resolved = localeFormats[code] ?? code
  if (!isDate(resolved)) return { code: resolved, isDate: false }
  // SheetJS takes any full stop for the start of fractional seconds.
  return { code: resolved.replace(/(?<!\\)\.(?!0)/g, '\\.'), isDate: true }
}

function isDate(code: string): boolean {
  try {
    return SSF.is_date(code) as boolean
  } catch {
    return false
  }
}

/** Returns null if the value is not a number. A format may hide a number, which makes its text empty. */
export function numberCell(column: number, value: number, format: NumberFormat, from1904: boolean): Cell | null {
  if (Number.isNaN(value)) return null
  const text = onOneLine(formatNumber(value, format, from1904))
  return { column, text, kind: format.isDate ? 'date' : 'number', value, span: 1 }
}

function formatNumber(value: number, format: NumberFormat, from1904: boolean): string {
  // Identifiers would be shown in scientific notation.
  if (format.code === 'General' && Number.isSafeInteger(value)) return String(value)
  try {
    return String(SSF.format(format.code, value, { date1904: from1904 }))
  } catch {
    return String(value)
  }
}
