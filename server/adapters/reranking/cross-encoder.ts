import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Reranker } from '../../engine/ports/reranker'
import { disableTelemetry } from '../embedding/telemetry'
import { createThreadPool } from '../threads/thread-pool'
import { readRerankerSettings } from './reranker-settings'
import type { RerankingSessionOptions } from './reranking-session'

export interface PairRequest {
  query: string
  text: string
}

export interface CrossEncoderOptions {
  /** The name under which the model is installed. */
  model: string
  modelFolder: string
  log?: { warn(details: object, message: string): void }
}

// Tensors are outside the heap. With V8's default, short-lived objects would take up to 48 MiB of the thread.
const resourceLimits = { maxYoungGenerationSizeMb: 4 }
/** Half of the processors, for which more threads than these gain little. */
const maxThreads = 4
/** Threads of the runtime that read one text. */
export const rerankingThreads = Math.max(1, Math.min(maxThreads, Math.floor(availableParallelism() / 2)))
/** A pair of the length of most fragments. */
const samplePair: PairRequest = { query: 'Which text answers the question?', text: 'word '.repeat(200) }
const sampleRuns = 3

/**
 * Scores with a cross-encoder in a local folder, in one worker thread: pairs of several searches take turns. Rejects if the
 * model cannot be loaded. `msPerText` is the time that a text of usual length takes on this machine.
 */
export async function createCrossEncoder({
  model,
  modelFolder,
  log,
}: CrossEncoderOptions): Promise<Reranker & { msPerText: number }> {
  disableTelemetry()
  const folder = resolve(modelFolder)
  const pool = createThreadPool<PairRequest, number>({
    thread: 'rerank',
    data: {
      ...readRerankerSettings(folder),
      modelFolder: folder,
      threads: rerankingThreads,
    } satisfies RerankingSessionOptions,
    size: 1,
    resourceLimits,
    onCrash: (error) => log?.warn({ err: error }, 'The reranking thread ended unexpectedly.'),
  })
  let msPerText: number
  try {
    await pool.run(samplePair)
    msPerText = await fastestRun()
  } catch (error) {
    await pool.close()
    throw error
  }

  /** The fastest of several, because the machine may be busy while the server starts. */
  async function fastestRun(): Promise<number> {
    const times: number[] = []
    for (let run = 0; run < sampleRuns; run++) {
      const startedAt = performance.now()
      await pool.run(samplePair)
      times.push(performance.now() - startedAt)
    }
    return Math.min(...times)
  }

  return {
    model,
    msPerText,
    async score(query, texts, budgetMs) {
      const budget = AbortSignal.timeout(budgetMs)
      // Each waiting pair adds a listener.
      setMaxListeners(0, budget)
      const runs = texts.map((text) => pool.run({ query, text }, { signal: budget }))
      const scores: number[] = []
      for (const run of await Promise.allSettled(runs)) {
        if (run.status === 'fulfilled') scores.push(run.value)
        else if (budget.aborted && run.reason === budget.reason) break
        else throw run.reason
      }
      return scores
    },
    close: () => pool.close(),
  }
}
