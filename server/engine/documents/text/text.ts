import { fileLimits } from '../../limits'
import type { Block } from '../../ports/extractor'
import { catchUnreadable, UnreadableFile } from '../format/unreadable-file'
import type { FileFormat, FilePart } from '../ports'
import { readDecoded } from './decoding'
import { createLineReader } from './lines'
import { blocksOf } from './paragraph'

/**
 * Reads plain text of any length, with one paragraph in memory. Empty lines separate paragraphs, wrapped lines are
 * joined, and text laid out with spaces is preserved. Only marked headings are headings.
 */
export const readText: FileFormat = (path) => catchUnreadable(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  yield { kind: 'facts', facts: { title: '', language: '', publishedAt: null, modifiedAt: null } }
  const reader = createLineReader()
  const paragraphs = createParagraphs()
  let isEmpty = true
  for await (const { text, done, total } of readDecoded(path)) {
    const blocks = reader.write(text).flatMap((line) => paragraphs.write(line))
    if (blocks.length > 0) {
      isEmpty = false
      yield { kind: 'blocks', blocks }
    }
    yield { kind: 'progress', done, total }
  }
  const blocks = [...reader.end().flatMap((line) => paragraphs.write(line)), ...paragraphs.end()]
  if (blocks.length > 0) yield { kind: 'blocks', blocks }
  else if (isEmpty) throw new UnreadableFile('file-empty')
}

/** Collects lines up to an empty one, or between code fences. */
function createParagraphs() {
  let lines: string[] = []
  let length = 0
  let fence: string | null = null

  function close(): Block[] {
    const blocks = fence === null ? blocksOf(lines) : codeOf(lines)
    lines = []
    length = 0
    return blocks
  }

  return {
    write(line: string): Block[] {
      const [, marker] = /^ {0,3}(```|~~~)/.exec(line) ?? []
      if (marker !== undefined && (fence === null || fence === marker)) {
        const blocks = close()
        fence = fence === null ? marker : null
        return blocks
      }
      if (fence === null && line.trim() === '') return close()
      lines.push(line)
      length += line.length + 1
      return length > fileLimits.text.paragraphLength ? close() : []
    },
    end: close,
  }
}

function codeOf(lines: string[]): Block[] {
  const text = lines.join('\n').trimEnd()
  return text.trim() === '' ? [] : [{ kind: 'code', text, anchor: null }]
}
