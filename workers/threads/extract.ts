import { parentPort, workerData } from 'node:worker_threads'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { type Extraction, type ExtractionTask, largePage } from '../../server/adapters/extraction/extraction-thread'
import { createHeapTrimmer } from '../../server/adapters/extraction/thread-heap'
import { cutPage, keptIn } from '../../server/engine/chunking/boilerplate'
import { readPage } from '../../server/engine/ingest/read-page'

const { modelFolder } = workerData as { modelFolder: string }
const tokenizer = createTokenizer(modelFolder)
const trimHeap = createHeapTrimmer()

/** Does one task a message; a page that cannot be read answers null. */
parentPort?.on('message', ({ id, task }: { id: number; task: ExtractionTask }) => {
  // It stands on top of whatever the pages before have left.
  if (task.kind === 'read' && task.page.body.length > largePage) trimHeap(0)
  let done: Extraction | null = null
  try {
    done = run(task)
  } catch {
    // What a page does to the parser is no error of ours: the caller is told that it failed.
  }
  parentPort?.postMessage({ id, done })
  done = null
  trimHeap()
})

function run(task: ExtractionTask): Extraction {
  if (task.kind === 'read') return { kind: 'read', page: readPage(task.page, tokenizer) }
  return { kind: 'cut', fragments: cutPage(keptIn(task.blocks), task.share, tokenizer) }
}

parentPort?.postMessage('ready')
