import { platform, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import type { EmbeddingThreadData } from '../../server/adapters/embedding/transformers'
import { openEmbeddingSession } from '../../server/adapters/embedding/transformers-session'
import { answerRequests } from './worker-protocol'

/** A thread at 5 gets a third of what one at 0 gets: passages come second, and go on where all is busy. */
const behindOthers = 5

const { options, isLowPriority } = workerData as EmbeddingThreadData
if (isLowPriority) giveWay()

// The requests wait in the port's queue until the model is loaded.
const session = await openEmbeddingSession(options)

answerRequests<string[], Float32Array[]>(
  async (texts) => {
    // Larger batches are no faster, change the vectors and need much more memory.
    const response: Float32Array[] = []
    for (const text of texts) response.push(await session.embed(text))
    return { response, transfer: response.map(({ buffer }) => buffer as ArrayBuffer) }
  },
  () => session.close(),
)

/** A query meets passages on every core: where they come second, its vector is there in half of the time. */
function giveWay(): void {
  // Elsewhere it would be the priority of the whole process.
  if (platform() !== 'linux') return
  try {
    setPriority(behindOthers)
  } catch {
    // Where it may not be set, all go on alike.
  }
}
