import { type Span, splitSentences } from './sentences'

/** What a passage is cut at: a sentence, a heading within the text, or a row of a table. */
export interface Unit extends Span {
  kind: 'sentence' | 'heading' | 'row'
  /** For a row, the index of the first row of its table, which has the names of the columns. */
  header: number | null
}

/** Chunking joins the cells of a row with it. */
const cellSeparator = ' | '

/** The units of a fragment's text, in order. `headings` are its inner headings, which are lines of the text. */
export function outlineOf(text: string, language: string, headings: string[]): Unit[] {
  const lines = linesOf(text)
  const isRow = (n: number) => text.slice(lines[n]?.start, lines[n]?.end).includes(cellSeparator)
  const units: Unit[] = []
  lines.forEach(({ start, end }, n) => {
    const line = text.slice(start, end)
    if (isRow(n) && ((n > 0 && isRow(n - 1)) || (n + 1 < lines.length && isRow(n + 1)))) {
      const previous = units.at(-1)
      units.push({ start, end, kind: 'row', header: previous?.header ?? units.length })
    } else if (headings.includes(line)) {
      units.push({ start, end, kind: 'heading', header: null })
    } else {
      for (const sentence of splitSentences(line, language))
        units.push({ start: start + sentence.start, end: start + sentence.end, kind: 'sentence', header: null })
    }
  })
  return units
}

/** The lines that are not blank. */
function linesOf(text: string): Span[] {
  return [...text.matchAll(/[^\n]+/g)].flatMap(({ 0: line, index }) =>
    line.trim() === '' ? [] : { start: index, end: index + line.length },
  )
}
