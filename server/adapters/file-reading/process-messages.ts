import { z } from 'zod'
import type { FileReading } from '../../engine/documents/ports'

/** Characters of one line: a batch of fragments takes far less. */
const longestLine = 2 * 1024 * 1024

const text = z.string()
const whole = z.number().int().min(0)
const time = z.number().nullable()

const facts = z.object({
  title: text,
  language: text,
  publishedAt: time,
  modifiedAt: time,
})

const fragment = z.object({
  ordinal: whole,
  text,
  title: text,
  headings: z.array(text),
  innerHeadings: z.array(text),
  anchor: text.nullable(),
  hash: text.regex(/^[\da-f]{64}$/),
  tokens: whole,
  language: text,
})

const refusals = z.enum([
  'file-broken',
  'file-encrypted',
  'file-scanned',
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
  z.object({ kind: z.literal('note'), reason: notes, pages: whole.optional() }),
  z.object({ kind: z.literal('end'), textHash: text }),
  z.object({ kind: z.literal('refused'), reason: refusals }),
])

/** What a process says of a file, one JSON value a line; null for what is none of these. */
export async function* readingsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<FileReading | null> {
  let rest: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    let start = 0
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      rest.push(piece.subarray(start, end))
      yield readingOf(Buffer.concat(rest).toString('utf8'))
      rest = []
      length = 0
      start = end + 1
    }
    rest.push(piece.subarray(start))
    length += piece.length - start
    if (length > longestLine) yield null
  }
}

function readingOf(line: string): FileReading | null {
  try {
    return reading.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
