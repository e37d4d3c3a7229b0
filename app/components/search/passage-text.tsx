import type { PassageView } from '../../../contract/views/search'

const cellSeparator = ' | '

interface Part {
  text: string
  /** Offset in the passage. */
  start: number
}

/** The text of a passage with its matches marked. Rows of a table are shown as a table. */
export function PassageText({ passage }: { passage: PassageView }) {
  const lines = split({ text: passage.text, start: 0 }, '\n')
  const rows = lines.map((line) => split(line, cellSeparator))
  const [header = [], ...body] = rows
  const isTable = body.length > 0 && rows.every((cells) => cells.length > 1 && cells.length === header.length)
  if (!isTable)
    return (
      <p className="max-w-[78ch] whitespace-pre-line break-words leading-[1.55]">
        <Marked part={{ text: passage.text, start: 0 }} passage={passage} />
      </p>
    )
  return (
    <div className="overflow-x-auto">
      <table className="text-left text-[0.8438rem]">
        <thead className="text-small text-soft">
          <Row cells={header} passage={passage} cell="th" />
        </thead>
        <tbody>
          {body.map((cells) => (
            <Row key={cells[0]?.start} cells={cells} passage={passage} cell="td" />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ cells, passage, cell: Cell }: { cells: Part[]; passage: PassageView; cell: 'th' | 'td' }) {
  return (
    <tr>
      {cells.map((part) => (
        <Cell key={part.start} className="border-b border-line py-1 pr-5 align-top font-[inherit] last:pr-0">
          <Marked part={part} passage={passage} />
        </Cell>
      ))}
    </tr>
  )
}

/** A part of a passage, with the highlights that lie within it. */
function Marked({ part: { text, start }, passage }: { part: Part; passage: PassageView }) {
  const within = passage.highlights.filter(([from, to]) => from >= start && to <= start + text.length)
  const ends = [0, ...within.map(([, to]) => to - start)]
  return (
    <>
      {within.map(([from, to], n) => (
        <span key={from}>
          {text.slice(ends[n], from - start)}
          <mark>{text.slice(from - start, to - start)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  )
}

function split({ text, start }: Part, separator: string): Part[] {
  let at = start
  return text.split(separator).map((part) => {
    const from = at
    at += part.length + separator.length
    return { text: part, start: from }
  })
}
