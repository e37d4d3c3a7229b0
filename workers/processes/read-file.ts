import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { machineFailureCode } from '../../server/adapters/file-reading/process-entry'
import type { FileReading, FileToRead } from '../../server/engine/documents/ports'
import { readFileParts } from '../../server/engine/documents/read-file'
import { readDocument } from '../../server/engine/ingest/read-document'

/**
 * A process of its own that reads one file: the request is one line of JSON on the input, each reading one on the output.
 * It ends with its input, which whoever started it holds open.
 */
const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => {
  read(line).catch((error: unknown) => {
    console.error(error)
    process.exit(error instanceof Error && 'syscall' in error ? machineFailureCode : 1)
  })
})
lines.once('close', () => process.exit(1))
// pdfjs reads ahead and forgets about it: what fails there says nothing of what is asked for.
process.on('unhandledRejection', () => {})

async function read(line: string): Promise<void> {
  const { modelFolder, ...file } = JSON.parse(line) as FileToRead & { modelFolder: string }
  await write(readDocument(readFileParts(file), file, createTokenizer(modelFolder)))
  process.stdout.write('', () => process.exit())
}

/** Progress is told as often as somebody can see it. */
const progressMs = 200

/** Waits for whoever reads. */
async function write(readings: AsyncIterable<FileReading>): Promise<void> {
  let told = Number.NEGATIVE_INFINITY
  for await (const reading of readings) {
    if (reading.kind === 'progress') {
      if (performance.now() - told < progressMs) continue
      told = performance.now()
    }
    if (!process.stdout.write(`${JSON.stringify(reading)}\n`)) await once(process.stdout, 'drain')
  }
}
