import { createHash } from 'node:crypto'
import type { FileReader, FileReading, FileToRead } from '../../../server/engine/documents/ports'
import type { Fragment } from '../../../server/engine/ports/extractor'

/** Fragments with these texts, as the file reader yields them. */
export function fragmentsOf(texts: string[], start = 0): Fragment[] {
  return texts.map((text, index) => ({
    ordinal: start + index,
    text,
    title: 'Lamps',
    headings: ['Care'],
    innerHeadings: [],
    anchor: `row=${start + index + 2}`,
    hash: createHash('sha256').update(text).digest('hex'),
    tokens: 5,
    language: 'en',
  }))
}

/** The readings of a file with these texts, 40 fragments at a time. */
export function* readingsOf(texts: string[]): Generator<FileReading> {
  yield {
    kind: 'facts',
    facts: { title: 'Lamps', language: 'en', publishedAt: null, modifiedAt: null },
  }
  for (let start = 0; start < texts.length; start += 40) {
    yield { kind: 'progress', done: start, total: texts.length }
    yield { kind: 'fragments', fragments: fragmentsOf(texts.slice(start, start + 40), start) }
  }
  yield { kind: 'end', textHash: createHash('sha256').update(texts.join()).digest('hex') }
}

/** A file reader whose readings come from the test; `read` may wait between them. */
export function createScriptedReader(
  read: (file: FileToRead, signal: AbortSignal) => Iterable<FileReading> | AsyncIterable<FileReading>,
): FileReader {
  return {
    async *read(file, signal) {
      for await (const reading of read(file, signal)) {
        signal.throwIfAborted()
        yield reading
      }
    },
    async close() {},
  }
}
