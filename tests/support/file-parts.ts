import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileFacts, FileFormat, FilePart, FileRefusal } from '../../server/engine/documents/ports'
import type { Block } from '../../server/engine/ports'

export interface ReadParts {
  facts: FileFacts | null
  blocks: Block[]
  refused: FileRefusal | null
}

/** All that a reader says of a file with these bytes, in order. */
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

/** All that a reader says of a file with these bytes, put together. */
export async function partsOf(read: FileFormat, bytes: Uint8Array): Promise<ReadParts> {
  return collect(await sequenceOf(read, bytes))
}

/** All that is said of a file; nothing may come after a refusal. */
export async function collect(parts: AsyncIterable<FilePart> | Iterable<FilePart>): Promise<ReadParts> {
  const read: ReadParts = { facts: null, blocks: [], refused: null }
  for await (const part of parts) {
    if (read.refused !== null) throw new Error('Something came after the refusal.')
    if (part.kind === 'facts') read.facts = part.facts
    else if (part.kind === 'blocks') read.blocks.push(...part.blocks)
    else if (part.kind === 'refused') read.refused = part.reason
  }
  return read
}

/** Blocks as lines, for expectations that can be read. */
export function linesOf(blocks: Block[]): string[] {
  return blocks.map((block) => `${block.kind === 'heading' ? `h${block.level}` : block.kind}: ${block.text}`)
}
