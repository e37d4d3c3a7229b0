import type { Block } from '../../ports/extractor'

/** Widths of lines, in characters, that may have been wrapped. */
const minWidth = 45
const maxWidth = 130
const maxHeadingLength = 150

const rule = /^\s*(?:={3,}|-{3,}|_{3,}|\*{3,}|~{3,})\s*$/
const item = /^(\s*)(?:[-*+•‣–]|(\d{1,3}[.)]|\(?[a-z0-9]\)))\s+(?=\S)/i

/** Returns the blocks of consecutive non-empty lines. */
export function blocksOf(lines: string[]): Block[] {
  const blocks: Block[] = []
  let start = 0
  for (; start < lines.length; start++) {
    const [first = '', second = '', third = ''] = lines.slice(start, start + 3)
    if (isUnderlined(first, second)) {
      blocks.push(headingOf(first, second))
      start++
    } else if (isRule(first)) {
      if (!isUnderlined(second, third) || first.trim()[0] !== third.trim()[0]) continue
      blocks.push(headingOf(second, third))
      start += 2
    } else break
  }
  const rest = lines.slice(start)
  if (rest.length === 0) return blocks
  const heading = rest.length === 1 ? markdownHeading(rest[0] ?? '') : null
  if (heading) return [...blocks, heading]
  if (isPreformatted(rest)) return [...blocks, { kind: 'code', text: withoutIndent(rest).join('\n'), anchor: null }]
  return [...blocks, ...proseOf(rest)]
}

/** Returns a Markdown heading on a line of its own; among other lines, number signs start comments. */
function markdownHeading(line: string): Block | null {
  const [, marks, name] = /^(#{1,6})\s+(\S.*)$/.exec(line) ?? []
  if (marks === undefined || name === undefined || name.length > maxHeadingLength) return null
  return { kind: 'heading', level: marks.length, text: name.replace(/[\s#]+$/, ''), anchor: null }
}

function isRule(line: string): boolean {
  return rule.test(line)
}

/** Whether a line underlines a title: one repeated character, about as long as the title. */
function isUnderlined(title: string, line: string): boolean {
  const text = title.trim()
  if (text === '' || text.length > maxHeadingLength || isRule(title) || item.test(title)) return false
  return /^\s*(?:={3,}|-{3,})\s*$/.test(line) && line.trim().length >= text.length / 2
}

function headingOf(title: string, line: string): Block {
  return { kind: 'heading', level: line.trim().startsWith('=') ? 1 : 2, text: title.trim(), anchor: null }
}

/** Whether the layout of lines is deliberate: columns of a table, or code. */
function isPreformatted(lines: string[]): boolean {
  const gaps = lines.filter((line) => /\S(?: {3,}|\t)\s*\S|\|.*\|/.test(line.trim()))
  if (lines.length > 1 && gaps.length >= 0.6 * lines.length) return true
  if (!lines.every((line) => /^(?: {4}|\t)/.test(line)) || lines.some((line) => item.test(line))) return false
  const inner = withoutIndent(lines)
  if (inner.some((line) => /[{}=<>]|\(\)|;$|^\s/.test(line))) return true
  // Indented prose, such as quotes, has full lines, or just one.
  return inner.length > 1 && inner.slice(1).some((line, index) => !isFull(inner[index] ?? '', line, widthOf(inner)))
}

function withoutIndent(lines: string[]): string[] {
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  return lines.map((line) => line.slice(indent).trimEnd())
}

function widthOf(lines: string[]): number {
  return Math.max(...lines.map((line) => line.trimEnd().length))
}

/** Whether the next word would not have fit into the line. */
function isFull(line: string, next: string, width: number): boolean {
  if (width < minWidth || width > maxWidth) return false
  const [word = ''] = /^\S+/.exec(next.trimStart()) ?? []
  return line.trimEnd().length + 1 + word.length > width
}

interface Line {
  text: string
  /** Indentation of a list item in spaces; null for any other line. */
  item: number | null
}

/** Returns paragraphs and lists, with wrapped lines joined. */
function proseOf(lines: string[]): Block[] {
  const width = widthOf(lines)
  const joined: Line[] = []
  for (const [index, line] of lines.entries()) {
    if (isRule(line)) continue
    const [, indent, number] = item.exec(line) ?? []
    const last = joined.at(-1)
    if (indent !== undefined) {
      const text = line.replace(item, '').trim()
      joined.push({ text: number ? `${number} ${text}` : text, item: indent.length })
    } else if (last && continues(last, lines[index - 1] ?? '', line, width)) {
      last.text += `${last.text.endsWith('-') ? '' : ' '}${line.trim()}`
    } else joined.push({ text: line.trim(), item: null })
  }
  return groupLines(joined)
}

function continues(last: Line, previous: string, line: string, width: number): boolean {
  const indent = line.length - line.trimStart().length
  return isFull(previous, line, width) || (last.item !== null && indent >= last.item + 2)
}

/** Groups consecutive items into lists, and other consecutive lines into paragraphs. */
function groupLines(lines: Line[]): Block[] {
  const blocks: { isList: boolean; lines: Line[] }[] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    if (last?.isList === (line.item !== null)) last.lines.push(line)
    else blocks.push({ isList: line.item !== null, lines: [line] })
  }
  return blocks.map((block) => ({
    kind: block.isList ? 'list' : 'paragraph',
    text: block.isList ? listText(block.lines) : block.lines.map(({ text }) => text).join('\n'),
    anchor: null,
  }))
}

/** Nested items are indented by two spaces per level. */
function listText(lines: Line[]): string {
  const levels: number[] = []
  return lines
    .map(({ text, item: indent }) => {
      const own = indent ?? 0
      while (levels.length > 0 && (levels.at(-1) ?? 0) >= own) levels.pop()
      levels.push(own)
      return `${'  '.repeat(Math.min(levels.length, 10) - 1)}${text}`
    })
    .join('\n')
}
