import { basename, dirname } from 'node:path'
import { AutoModel, AutoTokenizer, env, Tensor } from '@huggingface/transformers'

export interface EmbeddingSession {
  /** One unit vector: the mean over the pieces of the text, cut to the model's length. */
  embed(text: string): Promise<Float32Array>
  close(): Promise<void>
}

export interface EmbeddingSessionOptions {
  modelFolder: string
  /** Word pieces that are read of a text, without the special ones. */
  longestPassage: number
}

// A word piece stands for at most a few characters in any real text; what lies behind is never read.
const charactersOfPiece = 40

/** Loads the model into this thread, with one thread of the runtime. Reads local files only. */
export async function openEmbeddingSession({
  modelFolder,
  longestPassage,
}: EmbeddingSessionOptions): Promise<EmbeddingSession> {
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.useFSCache = false
  env.localModelPath = dirname(modelFolder)
  const name = basename(modelFolder)
  const tokenizer = await AutoTokenizer.from_pretrained(name)
  const model = await AutoModel.from_pretrained(name, {
    dtype: 'q8',
    device: 'cpu',
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  })

  return {
    async embed(text) {
      const pieces = cut(tokenizer.encode(text.slice(0, longestPassage * charactersOfPiece)))
      const shape = [1, pieces.length]
      const output = await model({
        input_ids: new Tensor('int64', BigInt64Array.from(pieces, BigInt), shape),
        attention_mask: new Tensor('int64', new BigInt64Array(pieces.length).fill(1n), shape),
        token_type_ids: new Tensor('int64', new BigInt64Array(pieces.length), shape),
      })
      return unitMean(output.last_hidden_state.data as Float32Array, pieces.length)
    },
    async close() {
      await model.dispose()
    },
  }

  /** The library's own truncation drops the last special piece, which the model was trained to see. */
  function cut(pieces: number[]): number[] {
    const longest = longestPassage + 2
    return pieces.length <= longest ? pieces : [...pieces.slice(0, longest - 1), ...pieces.slice(-1)]
  }
}

function unitMean(states: Float32Array, pieces: number): Float32Array {
  const dimensions = states.length / pieces
  const mean = new Float64Array(dimensions)
  for (let at = 0; at < states.length; at += dimensions) {
    for (let n = 0; n < dimensions; n++) mean[n] = (mean[n] ?? 0) + (states[at + n] ?? 0)
  }
  const length = Math.hypot(...mean) || 1
  return Float32Array.from(mean, (value) => value / length)
}
