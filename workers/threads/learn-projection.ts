import { workerData } from 'node:worker_threads'
import { SQLite } from '../../db/sqlite-driver'
import { createChunkReader } from '../../server/adapters/vector-index/copies/read-chunks'
import {
  coarseWidthFor,
  learnedVectorsFor,
  learnProjection,
} from '../../server/adapters/vector-index/projection/learn-projection'
import type { LearnRequest, LearnResponse } from '../../server/adapters/vector-index/projection/projection-learner'
import { lowerPriority } from './lower-priority'
import { answerRequests } from './worker-protocol'

const { file } = workerData as { file: string }
const connection = new SQLite(file, { readonly: true, timeout: 5_000 })
lowerPriority()

answerRequests<LearnRequest, LearnResponse | null>(
  async ({ setId }) => {
    const chunks = createChunkReader(connection)
    const { dimensions } = chunks.sizeOf(setId)
    if (dimensions === 0) return { response: null }
    const batches = chunks.sample(setId, learnedVectorsFor(dimensions))
    const learned = learnProjection(batches, dimensions, coarseWidthFor(dimensions))
    const matrix = new Float32Array(learned)
    return { response: { dimensions, matrix }, transfer: [matrix.buffer] }
  },
  () => void connection.close(),
)
