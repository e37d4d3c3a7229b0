import { createHash } from 'node:crypto'
import { type Chunker, createChunker } from './chunk'
import { splitBlock } from './chunk-units'
import type { FilePart, FileReading, FileToRead } from './file-ports'
import type { Fragment, Tokenizer } from './ports'

/**
 * Counts up with every change of what is read of a file, or of how it is cut: uploaded files are read again then. A
 * document of a site waits until its site sends it anew, or until what its site says of it is not believed any more.
 */
export const documentVersion = 1

/** Fragments and their characters that are handed on together, so that nobody holds many of them. */
const mostTogether = { fragments: 32, characters: 64_000 }

/**
 * Cuts what the reader of a file finds into fragments, as it comes. A file without a title of its own is titled by its
 * name; one that ends without any text is refused as empty.
 */
export async function* readDocument(
  parts: AsyncIterable<FilePart>,
  { name }: Pick<FileToRead, 'name'>,
  tokenizer: Tokenizer,
): AsyncGenerator<FileReading> {
  const text = createTextHash()
  const batch = createBatch()
  let document = { title: name, language: '' }
  let chunker: Chunker | null = null
  for await (const part of parts) {
    if (part.kind === 'blocks') {
      chunker ??= createChunker(document, tokenizer)
      for (const given of part.blocks) {
        const block = { ...given, text: storable(given.text) }
        text.add(block.text)
        for (const some of splitBlock(block)) yield* batch.add(chunker.push([some]))
      }
      continue
    }
    if (part.kind === 'facts') {
      const facts = { ...part.facts, title: storable(part.facts.title) }
      document = { title: facts.title.trim() || name, language: facts.language }
      yield { kind: 'facts', facts }
      continue
    }
    yield part
    if (part.kind === 'refused') return
  }
  yield* batch.add(chunker?.end() ?? [])
  yield* batch.end()
  yield batch.count() === 0 ? { kind: 'refused', reason: 'file-empty' } : { kind: 'end', textHash: text.digest() }
}

/** A damaged file has zeros and halves of characters, which no database takes: what is hashed is what is stored. */
function storable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}

/** As of a page: SHA-256 (hex) of the texts of all blocks, one a line. */
function createTextHash() {
  const hash = createHash('sha256')
  let isFirst = true
  return {
    add(text: string) {
      hash.update(isFirst ? text : `\n${text}`)
      isFirst = false
    },
    digest: () => hash.digest('hex'),
  }
}

function createBatch() {
  let together: Fragment[] = []
  let characters = 0
  let count = 0

  function* end(): Generator<FileReading> {
    if (together.length === 0) return
    const fragments = together
    together = []
    characters = 0
    yield { kind: 'fragments', fragments }
  }

  return {
    *add(fragments: Fragment[]): Generator<FileReading> {
      for (const fragment of fragments) {
        together.push(fragment)
        count++
        characters += fragment.text.length
        if (together.length >= mostTogether.fragments || characters >= mostTogether.characters) yield* end()
      }
    },
    end,
    /** All that were added so far. */
    count: () => count,
  }
}
