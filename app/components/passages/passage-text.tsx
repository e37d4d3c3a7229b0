import type { PassageView } from '../../../contract/views/chat/fragment'

const cellSeparator = ' | '
const listMarker = /^- /gm
/** Bullet as long as the marker, so that offsets stay the same. */
const bullet = '• '

interface Part {
  text: string
  /** Offset in the passage. */
  start: number
}

/** The text of a passage with its matches marked. Rows of a table are shown as a table. */
export function PassageText({ passage }: { passage: PassageView }) {
  const lines = split({ text: passage.text.replace(listMarker, bullet), start: 0 }, '\n')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {blocksOf(lines).map((block) =>
        block.isTable ? (
          <Table key={block.lines[0]?.start} lines={block.lines} passage={passage} />
        ) : (
          <p key={block.lines[0]?.start} className="max-w-[78ch] whitespace-pre-line break-words leading-[1.55]">
            <Marked part={joined(block.lines)} passage={passage} />
          </p>
        ),
      )}
    </div>
  )
}

interface Block {
  isTable: boolean
  lines: Part[]
}

/** Groups lines into tables, of two rows or more with the same number of cells, and text. */
function blocksOf(lines: Part[]): Block[] {
  const columns = lines.map(({ text }) => text.split(cellSeparator).length)
  const isRow = (n: number) => (columns[n] ?? 0) > 1 && (columns[n] === columns[n - 1] || columns[n] === columns[n + 1])
  const blocks: Block[] = []
  lines.forEach((line, n) => {
    const isTable = isRow(n)
    const last = blocks.at(-1)
    if (last?.isTable === isTable && (!isTable || columns[n] === columns[n - 1])) last.lines.push(line)
    else blocks.push({ isTable, lines: [line] })
  })
  return blocks
}

function Table({ lines, passage }: { lines: Part[]; passage: PassageView }) {
  const [header = [], ...body] = lines.map((line) => split(line, cellSeparator))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the fields of a form, and a section would be a landmark.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard.
    <div role="group" aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table className="text-left text-[0.8438rem]">
        <thead className="text-meta text-soft">
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
export function Marked({ part: { text, start }, passage }: { part: Part; passage: PassageView }) {
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

function joined(lines: Part[]): Part {
  return { text: lines.map(({ text }) => text).join('\n'), start: lines[0]?.start ?? 0 }
}

function split({ text, start }: Part, separator: string): Part[] {
  let position = start
  return text.split(separator).map((part) => {
    const from = position
    position += part.length + separator.length
    return { text: part, start: from }
  })
}
