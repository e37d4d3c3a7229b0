const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'абвгдежзиклмнопрстуфхцчшщъыьэюяєіґ', 'αβγδεζηθικλμνξοπρστυφχψω']

/** The alphabet that contains every letter of a folded word; undefined if there is none. */
export function alphabetOf(word: string): string | undefined {
  return alphabets.find((alphabet) => [...word].every((letter) => alphabet.includes(letter)))
}

/** All strings at edit distance 1 of a folded word, over its alphabet. */
export function neighborsOf(word: string): string[] {
  const alphabet = alphabetOf(word) ?? ''
  const neighbors = new Set<string>()
  for (let index = 0; index <= word.length; index++) {
    const before = word.slice(0, index)
    const after = word.slice(index)
    neighbors.add(before + after.slice(1))
    neighbors.add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
    for (const letter of alphabet) {
      neighbors.add(before + letter + after)
      neighbors.add(before + letter + after.slice(1))
    }
  }
  neighbors.delete(word)
  return [...neighbors]
}

/**
 * The Damerau-Levenshtein distance of two words (F. J. Damerau, 1964), in its restricted form, in which each letter takes
 * part in one edit: insertions, deletions, substitutions, and transpositions of neighbors. Returns `max` + 1 if it is
 * larger than `max`.
 */
export function editDistance(first: string, second: string, max: number): number {
  if (Math.abs(first.length - second.length) > max) return max + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: second.length + 1 }, (_, n) => n)
  for (let row = 1; row <= first.length; row++) {
    const current = [row]
    for (let column = 1; column <= second.length; column++) {
      const isSame = first[row - 1] === second[column - 1]
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (row > 1 && column > 1 && first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1])
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    if (Math.min(...current) > max) return max + 1
    beforePrevious = previous
    previous = current
  }
  return Math.min(previous[second.length] ?? 0, max + 1)
}
