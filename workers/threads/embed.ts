import { workerData } from 'node:worker_threads'
import type { EmbeddingThreadData } from '../../server/adapters/embedding/transformers'
import { openEmbeddingSession } from '../../server/adapters/embedding/transformers-session'
import { lowerPriority } from './lower-priority'
import { answerRequests } from './worker-protocol'

const { options, isLowPriority } = workerData as EmbeddingThreadData
// Halves the time of a query while passages are embedded on all cores.
if (isLowPriority) lowerPriority()

// Requests wait in the queue of the port until the model is loaded.
const session = await openEmbeddingSession(options)

answerRequests<string[], Float32Array[]>(
  async (texts) => {
    // One at a time: batches are no faster, change the vectors and need much more memory.
    const response: Float32Array[] = []
    for (const text of texts) response.push(await session.embed(text))
    return { response, transfer: response.map(({ buffer }) => buffer as ArrayBuffer) }
  },
  () => session.close(),
)
