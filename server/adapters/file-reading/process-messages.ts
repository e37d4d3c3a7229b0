import { z } from 'zod'
import type { FileReading } from '../../engine/documents/ports'

/** Characters of a line; a batch of fragments takes far less. */
const maxLineLength = 2 * 1024 * 1024

const text = z.string()
const count = z.number().int().min(0)
const time = z.number().nullable()

const facts = z.object({
  title: text,
  language: text,
  publishedAt: time,
  modifiedAt: time,
})

const fragment = z.object({
  ordinal: count,
  text,
  title: text,
  headings: z.array(text),
  innerHeadings: z.array(text),
  anchor: text.nullable(),
  hash: text.regex(/^[\da-f]{64}$/),
  tokens: count,
  language: text,
})

const refusalReason = z.enum([
  'file-broken',
  'file-encrypted',
  'file-scanned',
  'file-encoding',
  'file-empty',
  'file-too-complex',
  'file-mismatch',
  'file-unknown',
  'file-too-large',
])

const notes = z.enum(['file-cut', 'file-partly', 'file-partly-scanned', 'file-shortened'])

const reading: z.ZodType<FileReading> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('facts'), facts }),
  z.object({ kind: z.literal('progress'), done: z.number(), total: z.number() }),
  z.object({ kind: z.literal('fragments'), fragments: z.array(fragment) }),
  z.object({ kind: z.literal('note'), reason: notes, pages: count.optional() }),
  z.object({ kind: z.literal('end'), textHash: text }),
  z.object({ kind: z.literal('refused'), reason: refusalReason }),
])

/** Parses the output of a process, one JSON value per line; yields null for an invalid one. */
export async function* readingsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileReading | null> {
  let rest: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      rest.push(chunk.subarray(start, end))
      yield readingOf(Buffer.concat(rest).toString('utf8'))
      rest = []
      length = 0
      start = end + 1
    }
    rest.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > maxLineLength) yield null
  }
}

function readingOf(line: string): FileReading | null {
  try {
    return reading.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
