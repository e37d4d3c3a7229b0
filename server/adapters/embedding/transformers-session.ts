import { basename, dirname } from 'node:path'
import { AutoModel, AutoTokenizer, env, Tensor } from '@huggingface/transformers'
import type { ModelSettings, Pooling } from './model-settings'
import { openPca } from './pca'

export interface EmbeddingSession {
  /** One unit vector of the text, which is cut to the model's length; turned where the model has a rotation. */
  embed(text: string): Promise<Float32Array>
  close(): Promise<void>
}

export interface EmbeddingSessionOptions extends Pick<ModelSettings, 'maxTokens' | 'pooling' | 'weights'> {
  modelFolder: string
}

// A word piece stands for at most a few characters in any real text; what lies behind is never read.
const charactersOfPiece = 40

/** Loads the model into this thread, with one thread of the runtime. Reads local files only. */
export async function openEmbeddingSession({
  modelFolder,
  maxTokens,
  pooling,
  weights,
}: EmbeddingSessionOptions): Promise<EmbeddingSession> {
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.useFSCache = false
  env.localModelPath = dirname(modelFolder)
  const name = basename(modelFolder)
  const rotate = openPca(modelFolder)
  const tokenizer = await AutoTokenizer.from_pretrained(name)
  const model = await AutoModel.from_pretrained(name, {
    dtype: weights === 'model.onnx' ? 'fp32' : 'q8',
    device: 'cpu',
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  })

  return {
    async embed(text) {
      const pieces = cut(tokenizer.encode(text.slice(0, maxTokens * charactersOfPiece)))
      const shape = [1, pieces.length]
      // The library gives the model those of them that it has an input for.
      const output = await model({
        input_ids: new Tensor('int64', BigInt64Array.from(pieces, BigInt), shape),
        attention_mask: new Tensor('int64', new BigInt64Array(pieces.length).fill(1n), shape),
        token_type_ids: new Tensor('int64', new BigInt64Array(pieces.length), shape),
      })
      const states = output.last_hidden_state?.data
      if (!(states instanceof Float32Array)) throw new Error('The model has no output named last_hidden_state.')
      return rotate(unit(pooled(states, pieces.length, pooling)))
    },
    async close() {
      await model.dispose()
    },
  }

  /** The library's own truncation drops the last special piece, which the model was trained to see. */
  function cut(pieces: number[]): number[] {
    const longest = maxTokens + 2
    return pieces.length <= longest ? pieces : [...pieces.slice(0, longest - 1), ...pieces.slice(-1)]
  }
}

/** One vector out of those of the pieces, of any length. */
function pooled(states: Float32Array, pieces: number, pooling: Pooling): Float32Array | Float64Array {
  const dimensions = states.length / pieces
  if (pooling === 'cls') return states.subarray(0, dimensions)
  if (pooling === 'last') return states.subarray(-dimensions)
  const sum = new Float64Array(dimensions)
  for (let at = 0; at < states.length; at += dimensions) {
    for (let n = 0; n < dimensions; n++) sum[n] = (sum[n] ?? 0) + (states[at + n] ?? 0)
  }
  return sum
}

function unit(vector: Float32Array | Float64Array): Float32Array {
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, (value) => value / length)
}
