import { fileLimits } from '../../limits'

/** Cuts pieces of a text into lines without their ends. The end of a page is an empty line; longer lines are divided. */
export function createLineReader() {
  let rest = ''

  return {
    take(piece: string): string[] {
      const text = rest + piece
      // A carriage return at the end may be half of a line end.
      const isHalf = text.endsWith('\r')
      const lines = (isHalf ? text.slice(0, -1) : text).replaceAll('\f', '\n\n').split(/\r\n|\n|\r/)
      rest = lines.pop() ?? ''
      const { lineLength } = fileLimits.text
      while (rest.length > lineLength) {
        const at = endOfPart(rest, lineLength)
        lines.push(rest.slice(0, at))
        rest = rest.slice(at)
      }
      if (isHalf) rest += '\r'
      return lines.flatMap((line) => (line.length > lineLength ? partsOf(line) : line))
    },
    end(): string[] {
      return rest === '' ? [] : [rest.replace(/\r$/, '')]
    },
  }
}

function partsOf(line: string): string[] {
  const parts: string[] = []
  let start = 0
  while (line.length - start > fileLimits.text.lineLength) {
    const at = endOfPart(line.slice(start, start + fileLimits.text.lineLength + 1), fileLimits.text.lineLength)
    parts.push(line.slice(start, start + at))
    start += at
  }
  return [...parts, line.slice(start)]
}

/** Behind the last blank that leaves a part of some length, else anywhere. */
function endOfPart(text: string, most: number): number {
  const blank = text.lastIndexOf(' ', most)
  return blank > most / 2 ? blank : most
}
