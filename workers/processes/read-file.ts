import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { machineFailureCode } from '../../server/adapters/file-reading/process-entry'
import type { FileReading, FileToRead } from '../../server/engine/documents/ports'
import { readFileParts } from '../../server/engine/documents/read-file'
import { readDocument } from '../../server/engine/ingest/read-document'

/**
 * A process that reads one file. The request is one line of JSON on stdin, each reading one line on stdout. It ends
 * when stdin is closed, which the parent holds open.
 */
const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => {
  read(line).catch((error: unknown) => {
    console.error(error)
    process.exit(error instanceof Error && 'syscall' in error ? machineFailureCode : 1)
  })
})
lines.once('close', () => process.exit(1))
// pdfjs prefetches without handling rejections; these do not affect the result.
process.on('unhandledRejection', () => {})

async function read(line: string): Promise<void> {
  const { modelFolder, ...file } = JSON.parse(line) as FileToRead & { modelFolder: string }
  await write(readDocument(readFileParts(file), file, createTokenizer(modelFolder)))
  process.stdout.write('', () => process.exit())
}

/** Interval of progress messages; more often is not visible. */
const progressMs = 200

/** Waits for the consumer. */
async function write(readings: AsyncIterable<FileReading>): Promise<void> {
  let reportedAt = Number.NEGATIVE_INFINITY
  for await (const reading of readings) {
    if (reading.kind === 'progress') {
      if (performance.now() - reportedAt < progressMs) continue
      reportedAt = performance.now()
    }
    if (!process.stdout.write(`${JSON.stringify(reading)}\n`)) await once(process.stdout, 'drain')
  }
}
