/**
 * Word pieces that a text takes at most, as far as that can be told without a model: three letters of the Latin alphabet
 * make one, or two digits, or any other sign.
 */
export function estimatePieces(text: string): number {
  let pieces = 0
  for (const _ of text.matchAll(/[a-z]{1,3}|\d{1,2}|\S/giu)) pieces++
  return pieces
}

/** The start of a text that takes at most so many pieces, with a mark where something is left out; cut between words if it can be. */
export function startOf(text: string, most: number): string {
  let end = 0
  let pieces = 0
  for (const { index, 0: piece } of text.matchAll(/[a-z]{1,3}|\d{1,2}|\S/giu)) {
    pieces++
    // One is left for the mark.
    if (pieces === most) end = index
    if (pieces > most) {
      const space = text.lastIndexOf(' ', end)
      return `${text.slice(0, space > end / 2 ? space : end).trimEnd()}…`
    }
    if (pieces < most) end = index + piece.length
  }
  return text
}
