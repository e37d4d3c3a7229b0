import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Embedder } from '../engine/ports'
import { createThreadPool } from './thread-pool'
import type { EmbeddingSessionOptions } from './transformers-session'

export interface TransformersOptions {
  /** Holds config.json, tokenizer.json and onnx/model_quantized.onnx. */
  modelFolder: string
  /** Threads for passages; a query has one of its own. */
  threads?: number
  log?: { warn(details: object, message: string): void }
}

// Few, so that a stop is quick; enough that a thread seldom waits for its next ones.
const textsAtOnce = 2
// Sessions for passages hold most of the memory, and most of the time there is nothing to embed.
const idleMs = 60_000

/**
 * Embeds with a model in a local folder, in worker threads. Rejects when the model cannot be loaded. Passages have
 * `threads` threads that start with the first passages and end when idle; queries have one that stays.
 */
export async function createTransformersEmbedder({
  modelFolder,
  threads = 2,
  log,
}: TransformersOptions): Promise<Embedder> {
  const folder = resolve(modelFolder)
  const [model, { dimensions, longestPassage }] = await Promise.all([identityOf(folder), readShape(folder)])
  const data: EmbeddingSessionOptions = { modelFolder: folder, longestPassage }
  const onCrash = (error: unknown) => log?.warn({ err: error }, 'An embedding thread ended unexpectedly.')
  const pool = (size: number, idle?: number) =>
    createThreadPool<string[], Float32Array[]>({ thread: 'embed', data: { ...data }, size, idleMs: idle, onCrash })
  const passages = pool(threads, idleMs)
  const queries = pool(1)

  try {
    await embedQuery('start')
  } catch (error) {
    await queries.close()
    throw error
  }

  return {
    model,
    dimensions,
    embedQuery,
    async embedPassages(texts, signal) {
      const failed = new AbortController()
      const stop = AbortSignal.any(signal ? [signal, failed.signal] : [failed.signal])
      // One listener for each part that waits.
      setMaxListeners(0, stop)
      const parts = Array.from({ length: Math.ceil(texts.length / textsAtOnce) }, (_, n) =>
        passages.run(texts.slice(n * textsAtOnce, (n + 1) * textsAtOnce), { signal: stop }),
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
    const [vector] = await queries.run([text])
    if (!vector) throw new Error('The embedding thread gave no vector.')
    return vector
  }
}

/** The folder's name and the start of the SHA-256 of its weights: two models never share it. */
async function identityOf(modelFolder: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(join(modelFolder, 'onnx', 'model_quantized.onnx'))) hash.update(part)
  return `${basename(modelFolder)}@${hash.digest('hex').slice(0, 12)}`
}

async function readShape(modelFolder: string): Promise<{ dimensions: number; longestPassage: number }> {
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(modelFolder, name), 'utf8'))
  const { hidden_size: dimensions } = (await read('config.json')) as { hidden_size: number }
  const { model_max_length: length } = (await read('tokenizer_config.json')) as { model_max_length: number }
  return { dimensions, longestPassage: Math.min(length, 512) - 2 }
}
