import { setMaxListeners } from 'node:events'
import { resolve } from 'node:path'
import type { Embedder } from '../../engine/ports/search-index'
import { createThreadPool } from '../threads/thread-pool'
import { identityOf } from './model-identity'
import { readModelSettings } from './model-settings'
import { disableTelemetry } from './telemetry'
import type { EmbeddingSessionOptions } from './transformers-session'

export interface TransformersOptions {
  /** Holds config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx or onnx/model.onnx. */
  modelFolder: string
  /** Threads for passages. Queries have another one. */
  threads?: number
  log?: { warn(details: object, message: string): void }
}

// Few, so that a stop takes effect soon; enough to keep a thread busy while it receives the next ones.
const textsPerRequest = 2
// Sessions use much memory, and usually there is nothing to embed.
const passagesIdleMs = 60_000
// Tensors are outside the heap. With V8's default, short-lived objects would take up to 48 MiB of each thread.
const resourceLimits = { maxYoungGenerationSizeMb: 4 }

/** `workerData` of an embedding thread. */
export interface EmbeddingThreadData {
  options: EmbeddingSessionOptions
  /** Whether the thread yields the processor to others. */
  isLowPriority: boolean
}

/**
 * Embeds with a model in a local folder, in worker threads. Rejects if the model cannot be loaded. Passages have `threads`
 * threads that start on demand and end when idle; queries have one that keeps running.
 */
export async function createTransformersEmbedder({
  modelFolder,
  threads = 2,
  log,
}: TransformersOptions): Promise<Embedder> {
  disableTelemetry()
  const folder = resolve(modelFolder)
  const settings = readModelSettings(folder)
  const { queryPrefix, passagePrefix, ...sessionSettings } = settings
  const options: EmbeddingSessionOptions = { modelFolder: folder, ...sessionSettings }
  const onCrash = (error: unknown) => log?.warn({ err: error }, 'An embedding thread ended unexpectedly.')
  const pool = (size: number, { isLowPriority, idleMs }: { isLowPriority: boolean; idleMs?: number }) =>
    createThreadPool<string[], Float32Array[]>({
      thread: 'embed',
      data: { options, isLowPriority } satisfies EmbeddingThreadData,
      size,
      resourceLimits,
      idleMs,
      onCrash,
    })
  const passages = pool(threads, { isLowPriority: true, idleMs: passagesIdleMs })
  const queries = pool(1, { isLowPriority: false })

  let model: string
  let dimensions: number
  try {
    const [identity, first] = await Promise.all([identityOf(folder, settings), embedQuery('start')])
    model = identity
    dimensions = first.length
  } catch (error) {
    await queries.close()
    throw error
  }

  return {
    model,
    dimensions,
    embedQuery,
    async embedPassages(texts, { signal } = {}) {
      const failed = new AbortController()
      const stop = AbortSignal.any(signal ? [signal, failed.signal] : [failed.signal])
      // Each waiting request adds a listener.
      setMaxListeners(0, stop)
      const prefixed = texts.map((text) => passagePrefix + text)
      const parts = Array.from({ length: Math.ceil(texts.length / textsPerRequest) }, (_, n) =>
        passages.run(prefixed.slice(n * textsPerRequest, (n + 1) * textsPerRequest), { signal: stop }),
      )
      try {
        return (await Promise.all(parts)).flat()
      } catch (error) {
        failed.abort(error)
        throw error
      }
    },
    async close() {
      await Promise.all([passages.close(), queries.close()])
    },
  }

  async function embedQuery(text: string): Promise<Float32Array> {
    const [vector] = await queries.run([queryPrefix + text])
    if (!vector) throw new Error('The embedding thread returned no vector.')
    return vector
  }
}
