import { parentPort, workerData } from 'node:worker_threads'
import { createTokenizer } from '../../server/adapters/wordpiece'
import type { ExtractedPage, PageToRead } from '../../server/engine/ports'
import { readPage } from '../../server/engine/read-page'

const { modelFolder } = workerData as { modelFolder: string }
const tokenizer = createTokenizer(modelFolder)

/** Reads one page a message; a page that cannot be read answers null. */
parentPort?.on('message', ({ id, page }: { id: number; page: PageToRead }) => {
  let read: ExtractedPage | null = null
  try {
    read = readPage(page, tokenizer)
  } catch {
    // What a page does to the parser is no error of ours: the caller is told that it failed.
  }
  parentPort?.postMessage({ id, read })
})

parentPort?.postMessage('ready')
