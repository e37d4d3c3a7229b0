import { workerData } from 'node:worker_threads'
import { type EmbeddingSessionOptions, openEmbeddingSession } from '../../server/adapters/transformers-session'
import { answerRequests } from './answer-requests'

// The requests wait in the port's queue until the model is loaded.
const session = await openEmbeddingSession(workerData as EmbeddingSessionOptions)

answerRequests<string[], Float32Array[]>(
  async (texts) => {
    // Larger batches are no faster, change the vectors and need much more memory.
    const response: Float32Array[] = []
    for (const text of texts) response.push(await session.embed(text))
    return { response, transfer: response.map(({ buffer }) => buffer as ArrayBuffer) }
  },
  () => session.close(),
)
