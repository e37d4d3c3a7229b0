import { foldText, isUnsegmented, splitWords } from '../../language/normalize-text'

export interface LineMatch {
  /** Whether a line starts with a query of one or two words: a row of a table, a term of a list, a definition. */
  startsLine: boolean
  /** If a table has a row for one of the codes in the query, the share of the query that its codes are; otherwise 0. */
  rowShare: number
}

const digit = /\p{N}/u
const minCodeLength = 3
/** What qualifies a name, as "queue.Queue." in "queue.Queue.get". */
const qualifier = /^[^\p{L}\p{N}]*[\p{L}\p{N}_]+(?:\.|::|#)/u
/** Ends a statement of code, which uses a name more often than it defines it. */
const statementEnd = /[;{},]\s*$/
/** Rows of tables in pages, and of sheets, which name the column of each cell. */
const cellSeparator = / \| |; /
const columnName = /^[^:]{1,60}: /u
/** Longer queries describe what they ask for. A line that starts with all of their words repeats them by chance. */
const maxNameWords = 2
/** More of a line is never compared. */
const maxQueryLength = 200

/** Compares the lines of folded texts with a query and with the part numbers and other codes in it. */
export function createLineMatcher(query: string, identifiers: string[][]): (folded: string) => LineMatch {
  const words = splitWords(foldText(query))
  const sought = words.join(' ')
  const [firstWord = ''] = words
  const single = words.filter((word) => word.length >= minCodeLength && digit.test(word))
  const codes = new Set(
    [...identifiers.map((identifier) => identifier.join(' ')), ...single].filter((identifier) =>
      digit.test(identifier),
    ),
  )
  const inCodes = new Set([...codes].flatMap((code) => code.split(' ')))
  const share = words.filter((word) => inCodes.has(word)).length / Math.max(1, words.length)
  const isComparable = sought !== '' && words.length <= maxNameWords && sought.length <= maxQueryLength

  return (folded) => {
    const startsLine = isComparable && folded.includes(firstWord) && folded.split('\n').some(startsWithQuery)
    return { startsLine, rowShare: codes.size > 0 && folded.split('\n').some(isRowOfCode) ? share : 0 }
  }

  function startsWithQuery(line: string): boolean {
    if (statementEnd.test(line)) return false
    for (
      let rest = line.slice(0, 2 * maxQueryLength), before = '';
      rest !== before;
      rest = rest.replace(qualifier, '')
    ) {
      if (startsWith(splitWords(rest).join(' '))) return true
      before = rest
    }
    return false
  }

  function startsWith(line: string): boolean {
    if (!line.startsWith(sought)) return false
    return isUnsegmented(sought) || line.length === sought.length || line[sought.length] === ' '
  }

  function isRowOfCode(line: string): boolean {
    const cells = line.split(cellSeparator)
    return cells.length > 1 && cells.some((cell) => codes.has(splitWords(cell.replace(columnName, '')).join(' ')))
  }
}
