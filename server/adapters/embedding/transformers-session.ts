import { AutoModel, AutoTokenizer, Tensor } from '@huggingface/transformers'
import { openDenseLayers, type Vector } from './dense-layers'
import { firstCharacters, localModel, truncateTokens } from './local-model'
import type { ModelOutput, ModelSettings, Pooling } from './model-settings'
import { openPca } from './pca'

export interface EmbeddingSession {
  /** Returns one unit vector, rotated if the model has a rotation. Truncates the text to the length of the model. */
  embed(text: string): Promise<Float32Array>
  close(): Promise<void>
}

type Settings = Pick<ModelSettings, 'maxTokens' | 'pooling' | 'output' | 'weights' | 'denseLayers' | 'keptDimensions'>

export interface EmbeddingSessionOptions extends Settings {
  modelFolder: string
}

/** At the start and the end of a text. */
const specialTokens = 2

type Results = Partial<Record<ModelOutput, { data: unknown }>>

/** Loads the model into this thread, with one thread of the runtime. Reads local files only. */
export async function openEmbeddingSession({
  modelFolder,
  maxTokens,
  pooling,
  output,
  weights,
  denseLayers,
  keptDimensions,
}: EmbeddingSessionOptions): Promise<EmbeddingSession> {
  const { name, ...options } = localModel(modelFolder, weights)
  const throughLayers = openDenseLayers(modelFolder, denseLayers)
  const rotate = openPca(modelFolder)
  const tokenizer = await AutoTokenizer.from_pretrained(name)
  const model = await AutoModel.from_pretrained(name, {
    ...options,
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  })

  return {
    async embed(text) {
      const tokens = truncateTokens(tokenizer.encode(firstCharacters(text, maxTokens)), maxTokens + specialTokens)
      const shape = [1, tokens.length]
      // The library passes on only those that the model has inputs for.
      const results: Results = await model({
        input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), shape),
        attention_mask: new Tensor('int64', new BigInt64Array(tokens.length).fill(1n), shape),
        token_type_ids: new Tensor('int64', new BigInt64Array(tokens.length), shape),
      })
      return rotate(normalize(firstNumbers(vectorOf(results, tokens.length), keptDimensions)))
    },
    async close() {
      await model.dispose()
    },
  }

  function vectorOf(results: Results, tokens: number): Vector {
    const states = output === 'sentence_embedding' ? undefined : results.last_hidden_state?.data
    if (states instanceof Float32Array) return throughLayers(pool(states, tokens, pooling))
    const vector = output === 'last_hidden_state' ? undefined : results.sentence_embedding?.data
    if (vector instanceof Float32Array) return vector
    throw new Error(`The model has no output named ${output ?? 'last_hidden_state or sentence_embedding'}.`)
  }
}

/** Combines the vectors of the tokens into one, which is not normalized. */
function pool(states: Float32Array, tokens: number, pooling: Pooling): Vector {
  const dimensions = states.length / tokens
  if (pooling === 'cls') return states.subarray(0, dimensions)
  if (pooling === 'last') return states.subarray(-dimensions)
  const sum = new Float64Array(dimensions)
  for (let index = 0; index < states.length; index += dimensions) {
    for (let n = 0; n < dimensions; n++) sum[n] = (sum[n] ?? 0) + (states[index + n] ?? 0)
  }
  return sum
}

/** The first `count` numbers; all if it is null. */
function firstNumbers(vector: Vector, count: number | null): Vector {
  if (count !== null && count > vector.length)
    throw new Error(`sitelore.json keeps ${count} dimensions, but the model's vectors have ${vector.length}.`)
  return count === null ? vector : vector.subarray(0, count)
}

function normalize(vector: Vector): Float32Array {
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, (value) => value / length)
}
