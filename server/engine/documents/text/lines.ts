import { fileLimits } from '../../limits'

/** Splits chunks of text into lines without their ends. A form feed becomes an empty line; longer lines are divided. */
export function createLineReader() {
  let rest = ''

  return {
    write(chunk: string): string[] {
      const text = rest + chunk
      // A carriage return at the end may be the first half of a line end.
      const endsWithReturn = text.endsWith('\r')
      const lines = (endsWithReturn ? text.slice(0, -1) : text).replaceAll('\f', '\n\n').split(/\r\n|\n|\r/)
      rest = lines.pop() ?? ''
      const { lineLength } = fileLimits.text
      while (rest.length > lineLength) {
        const position = splitIndex(rest, lineLength)
        lines.push(rest.slice(0, position))
        rest = rest.slice(position)
      }
      if (endsWithReturn) rest += '\r'
      return lines.flatMap((line) => (line.length > lineLength ? splitLine(line) : line))
    },
    end(): string[] {
      return rest === '' ? [] : [rest.replace(/\r$/, '')]
    },
  }
}

function splitLine(line: string): string[] {
  const parts: string[] = []
  let start = 0
  while (line.length - start > fileLimits.text.lineLength) {
    const position = splitIndex(line.slice(start, start + fileLimits.text.lineLength + 1), fileLimits.text.lineLength)
    parts.push(line.slice(start, start + position))
    start += position
  }
  return [...parts, line.slice(start)]
}

/** Returns the index after the last space in the second half of `max` characters, or `max`. */
function splitIndex(text: string, max: number): number {
  const space = text.lastIndexOf(' ', max)
  return space > max / 2 ? space : max
}
