import { fileLimits } from '../../limits'
import type { Block } from '../../ports'
import { RefusedFile, refusing } from '../format/unreadable-file'
import type { FileFormat, FilePart } from '../ports'
import { readDecoded } from './decoding'
import { createLineReader } from './lines'
import { blocksOf } from './paragraph'

/**
 * Reads a plain text, however long, in the memory of one of its paragraphs. Empty lines part them, full lines are joined,
 * and what is laid out by blanks stays as it is. Headings are only those that are marked as such.
 */
export const readText: FileFormat = (path) => refusing(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  yield { kind: 'facts', facts: { title: '', language: '', publishedAt: null, modifiedAt: null } }
  const reader = createLineReader()
  const paragraphs = createParagraphs()
  let isEmpty = true
  for await (const { text, done, total } of readDecoded(path)) {
    const blocks = reader.take(text).flatMap((line) => paragraphs.take(line))
    if (blocks.length > 0) {
      isEmpty = false
      yield { kind: 'blocks', blocks }
    }
    yield { kind: 'progress', done, total }
  }
  const blocks = [...reader.end().flatMap((line) => paragraphs.take(line)), ...paragraphs.end()]
  if (blocks.length > 0) yield { kind: 'blocks', blocks }
  else if (isEmpty) throw new RefusedFile('file-empty')
}

/** Collects lines up to an empty one, or, between fences, up to the second fence. */
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
    take(line: string): Block[] {
      const [, mark] = /^ {0,3}(```|~~~)/.exec(line) ?? []
      if (mark !== undefined && (fence === null || fence === mark)) {
        const blocks = close()
        fence = fence === null ? mark : null
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
