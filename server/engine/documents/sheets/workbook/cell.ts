import { fileLimits } from '../../../limits'

export type CellKind = 'text' | 'number' | 'date' | 'boolean'

/** A non-empty cell. */
export interface Cell {
  /** Index from 0. */
  column: number
  /** The formatted value on one line. */
  text: string
  kind: CellKind
  /** For comparisons within the kind; NaN for text and for ambiguous dates. */
  value: number
  /** Columns that a merged cell covers; 1 otherwise. */
  span: number
  isTruncated?: true
}

export interface Row {
  /** Number of the row as spreadsheet programs show it, from 1. */
  number: number
  /** Cells in order of columns. */
  cells: Cell[]
}

/** Reads a cell of which only the text is known, as in a CSV file; null for an empty one. Truncates long texts. */
export function readCell(column: number, raw: string): Cell | null {
  const text = onOneLine(raw)
  if (text === '') return null
  const { kind, value } = readValue(text)
  const cell: Cell = { column, text, kind, value, span: 1 }
  return raw.length > fileLimits.table.cellLength ? { ...cell, isTruncated: true } : cell
}

/** Collapses white space and control characters, and truncates to the length of a cell. */
export function onOneLine(text: string): string {
  const short = text.length > fileLimits.table.cellLength ? text.slice(0, fileLimits.table.cellLength) : text
  // Most texts need no change.
  return /[^\S ]|\p{Cc}| {2}|^ | $/u.test(short) ? short.replace(/[\s\p{Cc}]+/gu, ' ').trim() : short
}

/** Characters up to which a text may be a number or a date. */
const maxValueLength = 40

interface Value {
  kind: CellKind
  value: number
}

const justText: Value = { kind: 'text', value: Number.NaN }

/** Interprets a text: a number with its currency or percent sign, a date, a boolean, or just text. */
function readValue(text: string): Value {
  if (text.length > maxValueLength) return justText
  // A shortcut for most numbers.
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text)) return { kind: 'number', value: Number(text) }
  if (/^[a-z]/i.test(text)) {
    const boolean = text.length <= 5 ? booleanOf(text) : null
    if (boolean !== null) return { kind: 'boolean', value: boolean }
  }
  if (!/\d/.test(text) || /^\p{L}.*[^\d]$/u.test(text)) return justText
  const date = dateOf(text)
  if (date !== null) return { kind: 'date', value: date }
  const number = numberOf(text)
  return number === null ? justText : { kind: 'number', value: number }
}

function booleanOf(text: string): number | null {
  if (/^(?:true|yes|ja|oui)$/i.test(text)) return 1
  return /^(?:false|no|nein|non)$/i.test(text) ? 0 : null
}

/** Currency codes and common abbreviations; other letters make a text an identifier. */
const currencies = new Set([...Intl.supportedValuesOf('currency'), 'FR', 'KR', 'RS'])

function numberOf(text: string): number | null {
  const { opening, before, sign, digits, exponent, after, closing } =
    /^(?<opening>[-+(−]? ?)(?<before>[€$£¥]|[A-Z]{2,3}\$?)?(?<sign> ?[-+]?)(?<digits>(?:\d|[.,]\d)[\d.,'’ \u00a0\u202f]*)(?<exponent>e[-+]?\d{1,3})? ?(?<after>%|‰|[€$£¥]|[A-Z]{3})?(?<closing>\)?)$/i.exec(
      text,
    )?.groups ?? {}
  if (opening === undefined || digits === undefined || sign === undefined) return null
  if (opening.startsWith('(') !== (closing === ')')) return null
  // 'NT-1000' and 'PEN-1000' are identifiers; an amount has its sign before the currency, or after a space.
  if ([before, after].some((unit) => !isUnit(unit)) || (isWord(before) && /^[-+]/.test(sign))) return null
  const plain = plainDigits(digits.replace(/['’ \u00a0\u202f]/g, ''))
  if (plain === null) return null
  const value = Number(plain + (exponent ?? ''))
  return /[-(−]/.test(opening + sign) ? -value : value
}

function isUnit(unit: string | undefined): boolean {
  return !isWord(unit) || currencies.has(unit.toUpperCase())
}

function isWord(unit: string | undefined): unit is string {
  return unit !== undefined && /^[A-Z]+$/i.test(unit)
}

/** Normalizes digits to a decimal point without separators; null if they are not written like a number. */
function plainDigits(digits: string): string | null {
  // Article, telephone and account numbers.
  if (/^0\d/.test(digits) || digits.length > 20) return null
  const comma = digits.lastIndexOf(',')
  const stop = digits.lastIndexOf('.')
  if (comma >= 0 && stop >= 0) {
    return comma > stop ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '')
  }
  if (/^\d{1,3}(?:,\d{3})+$/.test(digits)) return digits.replaceAll(',', '')
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(digits)) return digits.replaceAll('.', '')
  return /^\d*[.,]?\d+$/.test(digits) ? digits.replace(',', '.') : null
}

const months = 'janfebmaraprmayjunjulaugsepoctnovdec'

/** Returns the date in milliseconds; NaN if day and month are ambiguous; null for any other text. */
function dateOf(text: string): number | null {
  const [match, date = '', hours = '0', minutes = '0', seconds = '0'] =
    /^(\S{6,11}|\d{1,2} \p{L}{3,9}\.?,? \d{4}|\p{L}{3,9}\.? \d{1,2},? \d{4})(?:[T ,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?(?:Z|[AP]M|[-+]\d\d:?\d\d))?)?$/iu.exec(
      text,
    ) ?? []
  if (match === undefined) return null
  const day = dayOf(date)
  return day === null ? null : day + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}

function dayOf(text: string): number | null {
  const [isYearFirst, y = '', m = '', d = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? []
  if (isYearFirst) return timeOf(y, Number(m), Number(d))
  const [inNumbers, first = '', separator, second = '', year = ''] =
    /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)$/.exec(text) ?? []
  if (inNumbers) {
    const [number, otherNumber] = [Number(first), Number(second)]
    if (separator === '.' || number > 12) return timeOf(year, otherNumber, number)
    if (otherNumber > 12) return timeOf(year, number, otherNumber)
    return timeOf(year, number, otherNumber) === null ? null : Number.NaN
  }
  const [inWords, before, name = '', after, named = ''] =
    /^(?:(\d{1,2})[- ])?(\p{L}{3,9})\.?,?[- ](?:(\d{1,2}),? )?(\d{4}|\d\d)$/u.exec(text) ?? []
  const month = months.indexOf(name.slice(0, 3).toLowerCase())
  if (!inWords || month < 0 || month % 3 !== 0) return null
  return timeOf(named, month / 3 + 1, Number(before ?? after ?? 1))
}

function timeOf(year: string, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null
  const full = year.length > 2 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900)
  return Date.UTC(full, month - 1, day)
}
