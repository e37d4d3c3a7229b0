import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileFacts, FileFormat, FilePart, FileRefusal } from '../../../server/engine/documents/ports'
import type { Block } from '../../../server/engine/ports/extractor'

export interface ReadParts {
  facts: FileFacts | null
  blocks: Block[]
  refused: FileRefusal | null
}

/** Reads a file with these bytes; returns all parts in order. */
export async function sequenceOf(read: FileFormat, bytes: string | Uint8Array): Promise<FilePart[]> {
  const folder = await mkdtemp(join(tmpdir(), 'file-parts-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    const parts: FilePart[] = []
    for await (const part of read(path)) parts.push(part)
    return parts
  } finally {
    await rm(folder, { recursive: true })
  }
}

export function blocksIn(parts: FilePart[]): Block[] {
  return parts.flatMap((part) => (part.kind === 'blocks' ? part.blocks : []))
}

/** Reads a file with these bytes; returns its parts grouped by kind. */
export async function partsOf(read: FileFormat, bytes: Uint8Array): Promise<ReadParts> {
  return collect(await sequenceOf(read, bytes))
}

/** Groups parts by kind; throws if any part follows a refusal. */
export async function collect(parts: AsyncIterable<FilePart> | Iterable<FilePart>): Promise<ReadParts> {
  const read: ReadParts = { facts: null, blocks: [], refused: null }
  for await (const part of parts) {
    if (read.refused !== null) throw new Error('A part follows the refusal.')
    if (part.kind === 'facts') read.facts = part.facts
    else if (part.kind === 'blocks') read.blocks.push(...part.blocks)
    else if (part.kind === 'refused') read.refused = part.reason
  }
  return read
}

/** Renders blocks as lines, for readable expectations. */
export function linesOf(blocks: Block[]): string[] {
  return blocks.map((block) => `${block.kind === 'heading' ? `h${block.level}` : block.kind}: ${block.text}`)
}
