/** Of keyboards for Latin (three of them), Cyrillic and Greek letters. */
const rows = [
  ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  ['йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю'],
  ['ςερτυθιοπ', 'ασδφγηξκλ', 'ζχψωβνμ'],
]
const vowels = /[aeiouyаеиоуыэюяєіαεηιουω]/u

/**
 * Whether one letter of a folded word that became another is a likely slip: its neighbour on a keyboard, or a vowel behind
 * the first one, which is spoken alike. The first vowel makes another word of a short one ("Kasten" and "kosten"), and so
 * does a letter from elsewhere on the keyboard. Words of another length are no exchange, and likely.
 */
export function hasSlipped(meant: string, typed: string): boolean {
  if (meant.length !== typed.length) return true
  const places = [...meant].flatMap((letter, at) => (letter === typed[at] ? [] : at))
  const [at = 0] = places
  if (places.length !== 1) return true
  const [one, other] = [meant[at] ?? '', typed[at] ?? '']
  if (vowels.test(one) && vowels.test(other)) return vowels.test(meant.slice(0, at))
  return rows.some((layout) => areNeighbours(layout, one, other))
}

function areNeighbours(layout: string[], one: string, other: string): boolean {
  const [first, second] = [one, other].map((letter) => placeOf(layout, letter))
  if (!first || !second) return false
  return Math.abs(first.row - second.row) <= 1 && Math.abs(first.column - second.column) <= 1
}

function placeOf(layout: string[], letter: string): { row: number; column: number } | undefined {
  const row = layout.findIndex((letters) => letters.includes(letter))
  return row === -1 ? undefined : { row, column: layout[row]?.indexOf(letter) ?? 0 }
}
