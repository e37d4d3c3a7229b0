import { platform, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import type { EmbeddingThreadData } from '../../server/adapters/embedding/transformers'
import { openEmbeddingSession } from '../../server/adapters/embedding/transformers-session'
import { answerRequests } from './worker-protocol'

/** Gets a third of the processor time of a thread at 0, so queries come first and passages never starve. */
const lowPriority = 5

const { options, isLowPriority } = workerData as EmbeddingThreadData
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

/** Halves the time of a query while passages are embedded on all cores. */
function lowerPriority(): void {
  // On other systems this would set the priority of the whole process.
  if (platform() !== 'linux') return
  try {
    setPriority(lowPriority)
  } catch {
    // Without permission, all threads have the same priority.
  }
}
