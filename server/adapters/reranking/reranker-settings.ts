import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from '../embedding/model-files'
import { type ModelSettings, weightsIn } from '../embedding/model-settings'

export interface RerankerSettings {
  /** Tokens of a query and a text together that the model reads, with the special ones. */
  maxTokens: number
  /** File in the subfolder `onnx`. */
  weights: ModelSettings['weights']
}

const size = z.number('must be a number').int('must be a whole number').positive('must be above 0')
const config = z.object({
  max_position_embeddings: size.optional(),
  id2label: z.record(z.string(), z.unknown()).nullish(),
})
/** Files without a length have a number larger than all integers here. */
const tokenizerConfig = z.object({ model_max_length: z.number('must be a number').positive().optional() })

const requiredFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json']
/** Fragments are shorter, and time grows with the length. */
const maxPairTokens = 512

/**
 * Reads the settings of a reranker from the files in its folder. Throws an error of one sentence if a file is missing or
 * damaged, or the model is a classifier of another kind. `weights` names those of a folder that does not have them yet.
 */
export function readRerankerSettings(folder: string, weights?: ModelSettings['weights']): RerankerSettings {
  const missing = requiredFiles.find((file) => !existsSync(join(folder, file)))
  if (missing) throw new Error(`The reranker is incomplete: ${missing} is missing in ${folder}.`)
  const { max_position_embeddings, id2label } = readJson(folder, 'config.json', config) ?? {}
  const { model_max_length } = readJson(folder, 'tokenizer_config.json', tokenizerConfig) ?? {}
  const labels = Object.keys(id2label ?? {}).length
  if (labels > 1)
    throw new Error(
      `config.json in ${folder} has ${labels} labels: it is a classifier, while a reranker has one score.`,
    )
  const lengths = [maxPairTokens, max_position_embeddings, model_max_length]
  return {
    maxTokens: Math.min(...lengths.filter((length) => length !== undefined)),
    weights: weights ?? weightsIn(folder),
  }
}
