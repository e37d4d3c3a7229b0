import { createHash } from 'node:crypto'
import { type Chunker, createChunker } from '../chunking/chunk'
import { splitBlock } from '../chunking/units'
import type { FileFacts, FilePart, FileReading, FileToRead } from '../documents/ports'
import { removeInvisible } from '../html/dom/text'
import { detectLanguage, proseTexts } from '../language/detect-language'
import { detectTableLanguage, isTable } from '../language/table-language'
import type { Block, Fragment, Tokenizer } from '../ports'

/** Fragments and their characters that are handed on together, so that nobody holds many of them. */
const mostTogether = { fragments: 32, characters: 64_000 }

/** Characters of a file that does not say its language, after which it is told by them. */
const languageSample = 4_000

/**
 * Cuts what the reader of a file finds into fragments, as it comes. A file without a title of its own is titled by its
 * name, one that does not say its language by what its start is likely in; one that ends without any text is refused as
 * empty.
 */
export async function* readDocument(
  parts: AsyncIterable<FilePart>,
  { name }: Pick<FileToRead, 'name'>,
  tokenizer: Tokenizer,
): AsyncGenerator<FileReading> {
  const text = createTextHash()
  const cutter = createCutter(name, tokenizer)
  for await (const part of parts) {
    switch (part.kind) {
      case 'facts':
        yield* cutter.know({ ...part.facts, title: storable(part.facts.title) })
        break
      case 'blocks': {
        const blocks = part.blocks
          .map((block) => ({ ...block, text: storable(block.text) }))
          .filter(({ text }) => text !== '')
        for (const block of blocks) text.add(block.text)
        yield* cutter.cut(blocks)
        break
      }
      case 'progress':
        yield part
        break
      default:
        yield* cutter.begin()
        yield part
        if (part.kind === 'refused') return
    }
  }
  yield* cutter.end()
  yield cutter.count() === 0 ? { kind: 'refused', reason: 'file-empty' } : { kind: 'end', textHash: text.digest() }
}

/**
 * Without what nobody sees, whatever the type of the file; a damaged one has zeros and halves of characters, too, which no
 * database takes. What is hashed is what is stored.
 */
function storable(text: string): string {
  return removeInvisible(text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
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

/** Holds what comes until its language is known, or will not be; only then the facts are told and the cutting begins. */
function createCutter(name: string, tokenizer: Tokenizer) {
  const batch = createBatch()
  let facts: FileFacts | null = null
  let waiting: Block[] = []
  let length = 0
  let chunker: Chunker | null = null
  let title = ''
  let isAtStart = true
  /** Says the title once more. */
  let heading: Block | null = null

  function* begin(): Generator<FileReading> {
    if (chunker) return
    const detected = () => (isTable(waiting) ? detectTableLanguage(waiting) : detectLanguage(proseTexts(waiting)))
    const language = facts?.language || detected()
    if (facts) yield { kind: 'facts', facts: { ...facts, language } }
    title = facts?.title.trim() || name
    chunker = createChunker({ title, language }, tokenizer)
    yield* cutWith(chunker, waiting)
    waiting = []
  }

  function* cutWith(known: Chunker, blocks: Block[]): Generator<FileReading> {
    for (const block of blocks) {
      if (heading && !isNoLower(heading, block)) yield* batch.add(known.push([heading]))
      heading = isAtStart && block.kind === 'heading' && block.text === title ? block : null
      isAtStart = false
      if (!heading) for (const some of splitBlock(block)) yield* batch.add(known.push([some]))
    }
  }

  return {
    *know(said: FileFacts): Generator<FileReading> {
      facts = said
      if (said.language !== '') yield* begin()
    },
    *cut(blocks: Block[]): Generator<FileReading> {
      if (chunker) return yield* cutWith(chunker, blocks)
      waiting.push(...blocks)
      for (const block of blocks) length += block.text.length
      if (length >= languageSample) yield* begin()
    },
    begin,
    *end(): Generator<FileReading> {
      yield* begin()
      if (heading) yield* batch.add(chunker?.push([heading]) ?? [])
      yield* batch.add(chunker?.end() ?? [])
      yield* batch.end()
    },
    /** All fragments so far. */
    count: batch.count,
  }
}

/** A heading over nothing would stand as a line in the first fragment of the next. */
function isNoLower(heading: Block, next: Block): boolean {
  return heading.kind === 'heading' && next.kind === 'heading' && next.level <= heading.level
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
