/** Rows of keyboard layouts for Latin (three of them), Cyrillic and Greek letters. */
const layouts = [
  ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  ['йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю'],
  ['ςερτυθιοπ', 'ασδφγηξκλ', 'ζχψωβνμ'],
]
const vowels = /[aeiouyаеиоуыэюяєіαεηιουω]/u

/**
 * Whether a folded word is likely to be a typing error of another: one letter is replaced by its neighbor on a keyboard,
 * or a vowel after the first one by another vowel. The first vowel, or a distant letter, makes another word of a short
 * one ("Kasten" and "kosten"). True for any other edit.
 */
export function isLikelyTypo(meant: string, typed: string): boolean {
  if (meant.length !== typed.length) return true
  const differences = [...meant].flatMap((letter, index) => (letter === typed[index] ? [] : index))
  const [index = 0] = differences
  if (differences.length !== 1) return true
  const [text, otherText] = [meant[index] ?? '', typed[index] ?? '']
  if (vowels.test(text) && vowels.test(otherText)) return vowels.test(meant.slice(0, index))
  return layouts.some((layout) => areNeighbors(layout, text, otherText))
}

function areNeighbors(layout: string[], left: string, right: string): boolean {
  const [first, second] = [left, right].map((letter) => keyOf(layout, letter))
  if (!first || !second) return false
  return Math.abs(first.row - second.row) <= 1 && Math.abs(first.column - second.column) <= 1
}

function keyOf(layout: string[], letter: string): { row: number; column: number } | undefined {
  const row = layout.findIndex((letters) => letters.includes(letter))
  return row === -1 ? undefined : { row, column: layout[row]?.indexOf(letter) ?? 0 }
}
