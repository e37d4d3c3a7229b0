import { parentPort, workerData } from 'node:worker_threads'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import {
  type Extraction,
  type ExtractionAnswer,
  type ExtractionTask,
  largePage,
} from '../../server/adapters/extraction/extraction-thread'
import { createHeapTrimmer } from '../../server/adapters/extraction/thread-heap'
import type { Failure } from '../../server/adapters/threads/thread-pool'
import { cutPage, keptIn } from '../../server/engine/chunking/boilerplate'
import { readPage } from '../../server/engine/ingest/read-page'
import { asFailure } from './worker-protocol'

const { modelFolder } = workerData as { modelFolder: string }
const tokenizer = createTokenizer(modelFolder)
const trimHeap = createHeapTrimmer()

/** Does one task a message; the answer to a task that fails holds the error. */
parentPort?.on('message', ({ id, task }: { id: number; task: ExtractionTask }) => {
  // It stands on top of whatever the pages before have left.
  if (task.kind === 'read' && task.page.body.length > largePage) trimHeap(0)
  parentPort?.postMessage({ id, ...attempt(task) } satisfies ExtractionAnswer)
  trimHeap()
})

function attempt(task: ExtractionTask): { done: Extraction } | { failure: Failure } {
  try {
    return { done: run(task) }
  } catch (error) {
    return { failure: asFailure(error) }
  }
}

function run(task: ExtractionTask): Extraction {
  if (task.kind === 'read') return { kind: 'read', page: readPage(task.page, tokenizer) }
  return { kind: 'cut', fragments: cutPage(keptIn(task.blocks), task.share, tokenizer) }
}

parentPort?.postMessage('ready')
