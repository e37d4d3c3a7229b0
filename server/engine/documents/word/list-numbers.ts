/** A format of Office (ST_NumberFormat); formats of unsupported scripts are shown as decimal. */
export type NumberFormat = string

const roman: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

/** Formats the number of a list item as a person sees it: 'iv', 'C', '04', '4'. */
export function numberText(number: number, format: NumberFormat): string {
  if (format === 'none') return ''
  if (format === 'lowerRoman') return romanText(number)
  if (format === 'upperRoman') return romanText(number).toUpperCase()
  if (format === 'lowerLetter') return letterText(number)
  if (format === 'upperLetter') return letterText(number).toUpperCase()
  if (format === 'decimalZero') return String(number).padStart(2, '0')
  return String(number)
}

function romanText(number: number): string {
  if (number < 1 || number > 3999) return String(number)
  let rest = number
  let text = ''
  for (const [value, letters] of roman) {
    for (; rest >= value; rest -= value) text += letters
  }
  return text
}

/** Counts a to z, then aa, bb and so on, as Word does. */
function letterText(number: number): string {
  if (number < 1 || number > 26 * 10) return String(number)
  return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))
}
