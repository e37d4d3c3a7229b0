import type { Database } from '../../../../db/database'
import { createThreadPool } from '../../threads/thread-pool'
import { storeProjection } from './projection-store'

/** A request to the thread that learns projections, and its response: null for a set without vectors. */
export interface LearnRequest {
  setId: string
}
export interface LearnResponse {
  dimensions: number
  matrix: Float32Array<ArrayBuffer>
}

export interface ProjectionLearner {
  /** Learns and stores the projection of a set. Resolves to whether it has one now. Never rejects. */
  learn(setId: string): Promise<boolean>
  close(): Promise<void>
}

export interface ProjectionLearnerOptions {
  database: Database
  file: string
  log?: { warn(details: object, message: string): void } | undefined
}

/** Learns projections in a thread, one at a time, which ends when it is idle. */
export function createProjectionLearner({ database, file, log }: ProjectionLearnerOptions): ProjectionLearner {
  const threads = createThreadPool<LearnRequest, LearnResponse | null>({
    thread: 'learn-projection',
    data: { file },
    size: 1,
    idleMs: 1_000,
  })
  const stopping = new AbortController()
  const learning = new Map<string, Promise<boolean>>()

  async function learn(setId: string): Promise<boolean> {
    try {
      const learned = await threads.run({ setId }, { signal: stopping.signal })
      if (!learned) return false
      await database.write((tx) => storeProjection(tx, setId, learned.dimensions, learned.matrix))
      return true
    } catch (error) {
      if (!stopping.signal.aborted)
        log?.warn({ err: error, setId }, 'The vectors of a collection are searched more slowly: no projection.')
      return false
    }
  }

  return {
    learn(setId) {
      const running = learning.get(setId)
      if (running) return running
      const started = learn(setId).finally(() => learning.delete(setId))
      learning.set(setId, started)
      return started
    },
    async close() {
      stopping.abort()
      await Promise.all(learning.values())
      await threads.close()
    },
  }
}
