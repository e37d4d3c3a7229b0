import { createHash } from 'node:crypto'
import { type Chunker, createChunker } from '../chunking/chunk'
import { splitBlock } from '../chunking/split/units'
import type { FileFacts, FilePart, FileReading, FileToRead } from '../documents/ports'
import { removeInvisible } from '../html/dom/text'
import { confirmLanguage, detectLanguage, proseTexts } from '../language/detect-language'
import { detectTableLanguage, isTable } from '../language/table-language'
import type { Block, Fragment } from '../ports/extractor'
import type { Tokenizer } from '../ports/search-index'

const maxBatch = { fragments: 32, characters: 64_000 }

/** Characters after which the language of a file is detected. */
const languageSampleLength = 4_000

/**
 * Chunks the parts of a file into fragments as they arrive. A file without a title takes its name. Its language is
 * detected from its first text; the declared one counts where that is uncertain. A file without text is refused as empty.
 */
export async function* readDocument(
  parts: AsyncIterable<FilePart>,
  { name }: Pick<FileToRead, 'name'>,
  tokenizer: Tokenizer,
): AsyncGenerator<FileReading> {
  const textHash = createTextHash()
  const chunker = createFileChunker(name, tokenizer)
  for await (const part of parts) {
    switch (part.kind) {
      case 'facts':
        chunker.setFacts({ ...part.facts, title: storable(part.facts.title) })
        break
      case 'blocks': {
        const blocks = part.blocks
          .map((block) => ({ ...block, text: storable(block.text) }))
          .filter(({ text }) => text !== '')
        for (const block of blocks) textHash.add(block.text)
        yield* chunker.push(blocks)
        break
      }
      case 'progress':
        yield part
        break
      default:
        yield* chunker.begin()
        yield part
        if (part.kind === 'refused') return
    }
  }
  yield* chunker.end()
  yield chunker.count() === 0 ? { kind: 'refused', reason: 'file-empty' } : { kind: 'end', textHash: textHash.digest() }
}

/**
 * Removes invisible characters, and the NULs and lone surrogates of damaged files, which no database stores. Applied
 * before hashing, so that the hash is of the stored text.
 */
function storable(text: string): string {
  return removeInvisible(text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}

/** SHA-256 (hex) of the texts of all blocks, joined by line breaks, as of a page. */
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

/** Buffers blocks until the language can be detected; then yields the facts and starts chunking. */
function createFileChunker(name: string, tokenizer: Tokenizer) {
  const batch = createBatch()
  let facts: FileFacts | null = null
  let buffered: Block[] = []
  let bufferedLength = 0
  let chunker: Chunker | null = null
  let title = ''
  let isAtStart = true
  /** A first heading that repeats the title, until it is known whether text follows it. */
  let heading: Block | null = null

  function* begin(): Generator<FileReading> {
    if (chunker) return
    const texts = proseTexts(buffered)
    const detected = isTable(buffered) ? detectTableLanguage(buffered) : detectLanguage(texts)
    const language = confirmLanguage(facts?.language ?? '', detected, texts)
    if (facts) yield { kind: 'facts', facts: { ...facts, language } }
    title = facts?.title.trim() || name
    chunker = createChunker({ title, language }, tokenizer)
    yield* pushTo(chunker, buffered)
    buffered = []
  }

  function* pushTo(target: Chunker, blocks: Block[]): Generator<FileReading> {
    for (const block of blocks) {
      if (heading && !isEmptySection(heading, block)) yield* batch.add(target.push([heading]))
      heading = isAtStart && block.kind === 'heading' && block.text === title ? block : null
      isAtStart = false
      if (!heading) for (const part of splitBlock(block)) yield* batch.add(target.push([part]))
    }
  }

  return {
    setFacts(known: FileFacts): void {
      facts = known
    },
    *push(blocks: Block[]): Generator<FileReading> {
      if (chunker) return yield* pushTo(chunker, blocks)
      buffered.push(...blocks)
      for (const block of blocks) bufferedLength += block.text.length
      if (bufferedLength >= languageSampleLength) yield* begin()
    },
    begin,
    *end(): Generator<FileReading> {
      yield* begin()
      if (heading) yield* batch.add(chunker?.push([heading]) ?? [])
      yield* batch.add(chunker?.end() ?? [])
      yield* batch.end()
    },
    /** Number of fragments so far. */
    count: batch.count,
  }
}

/** Whether no text follows a heading; it would become a line of the next fragment. */
function isEmptySection(heading: Block, next: Block): boolean {
  return heading.kind === 'heading' && next.kind === 'heading' && next.level <= heading.level
}

function createBatch() {
  let batch: Fragment[] = []
  let characters = 0
  let count = 0

  function* end(): Generator<FileReading> {
    if (batch.length === 0) return
    const fragments = batch
    batch = []
    characters = 0
    yield { kind: 'fragments', fragments }
  }

  return {
    *add(fragments: Fragment[]): Generator<FileReading> {
      for (const fragment of fragments) {
        batch.push(fragment)
        count++
        characters += fragment.text.length
        if (batch.length >= maxBatch.fragments || characters >= maxBatch.characters) yield* end()
      }
    },
    end,
    count: () => count,
  }
}
