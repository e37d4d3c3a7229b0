import { parentPort, workerData } from 'node:worker_threads'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import {
  type Extraction,
  type ExtractionAnswer,
  type ExtractionReady,
  type ExtractionTask,
  largePage,
} from '../../server/adapters/extraction/extraction-thread'
import { currentThread } from '../../server/adapters/extraction/processor-time'
import { createHeapTrimmer } from '../../server/adapters/extraction/thread-heap'
import type { Failure } from '../../server/adapters/threads/thread-pool'
import { chunkWithoutBoilerplate, unpackBlocks } from '../../server/engine/chunking/page-blocks'
import { readPage } from '../../server/engine/ingest/read-page'
import { asFailure } from './worker-protocol'

const { modelFolder } = workerData as { modelFolder: string }
const tokenizer = createTokenizer(modelFolder)
const trimHeap = createHeapTrimmer()

/** Runs one task per message; the answer to a failed task has the error. */
parentPort?.on('message', ({ id, task }: { id: number; task: ExtractionTask }) => {
  // The page adds to whatever the pages before it have allocated.
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
  return { kind: 'rechunk', fragments: chunkWithoutBoilerplate(unpackBlocks(task.blocks), task.boilerplate, tokenizer) }
}

parentPort?.postMessage({ thread: currentThread() } satisfies ExtractionReady)
