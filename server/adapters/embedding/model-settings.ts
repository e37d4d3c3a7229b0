import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { denseFiles } from './dense-layers'
import { readJson } from './model-files'
import { modelKindOf } from './model-kind'

/** How the vectors of the tokens become one: their mean, the first one, or the last one. */
export type Pooling = 'mean' | 'cls' | 'last'

export type ModelOutput = 'last_hidden_state' | 'sentence_embedding'

/** The settings of a model that determine its vectors. */
export interface ModelSettings {
  /** Prepended to each query, and to each passage; usually empty. */
  queryPrefix: string
  passagePrefix: string
  pooling: Pooling
  /**
   * What of the model's results is used: the vectors of the tokens, or the vector of the text, which has been through the
   * pooling and the Dense layers already. Null: the first of them that the model has.
   */
  output: ModelOutput | null
  /** Tokens of a text that the model reads, including the prefix and without the two special tokens. */
  maxTokens: number
  /** Folders of the Dense layers after the pooling, in order. */
  denseLayers: string[]
  /** Numbers to keep of a vector, for models whose first numbers are a vector of their own; null for all. */
  keptDimensions: number | null
  /** Numbers in a vector; null if the files do not say. */
  dimensions: number | null
  /** File in the subfolder `onnx`. */
  weights: 'model_quantized.onnx' | 'model.onnx'
}

/** Fewer numbers of a model whose vectors may be cut lose too much; more would fill memory. */
const minDimensions = 128
const maxDimensions = 4_096

/** `sitelore.json` in the model's folder, which takes precedence. */
const prefix = z.string('must be text').max(1_000, 'must have at most 1000 characters').optional()
const ownSettings = z.strictObject({
  query_prefix: prefix,
  passage_prefix: prefix,
  pooling: z.enum(['mean', 'cls', 'last'], 'must be mean, cls or last').optional(),
  output: z
    .enum(['last_hidden_state', 'sentence_embedding'], 'must be last_hidden_state or sentence_embedding')
    .optional(),
  dimensions: z
    .int('must be a whole number')
    .min(minDimensions, `must be at least ${minDimensions}`)
    .max(maxDimensions, `must be at most ${maxDimensions}`)
    .optional(),
  normalize: z
    .literal(true, 'must be true or omitted: vectors are compared by angle, so all are normalized to length 1')
    .optional(),
})

/** What `sitelore.json` may contain. */
export type OwnSettings = z.input<typeof ownSettings>

const size = z.number('must be a number').int('must be a whole number').positive('must be above 0')
const config = z.object({
  max_position_embeddings: size.optional(),
  hidden_size: size.optional(),
  dim: size.optional(),
  d_model: size.optional(),
})
/** Files without a length have a number larger than all integers here. */
const tokenizerConfig = z.object({ model_max_length: z.number('must be a number').positive().optional() })
// Files of sentence-transformers.
const transformerConfig = z.object({ max_seq_length: size.nullish() })
const modules = z.array(
  z.object({ type: z.string('must be text'), path: z.string('must be text').default('') }),
  'must be a list',
)
const denseConfig = z.looseObject({ out_features: size })
const promptsConfig = z.object({
  prompts: z.record(z.string(), z.string('must be text')).nullish(),
  default_prompt_name: z.string('must be text').nullish(),
})
const poolingConfig = z.looseObject({
  pooling_mode: z.string('must be text').optional(),
  include_prompt: z.boolean('must be true or false').optional(),
})

const requiredFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json']
const supportedModules = ['Transformer', 'Pooling', 'Dense', 'Normalize']
// A mean divided by the square root of the length has the same direction.
const poolingByName: Record<string, Pooling> = {
  mean: 'mean',
  mean_tokens: 'mean',
  mean_sqrt_len_tokens: 'mean',
  cls: 'cls',
  cls_token: 'cls',
  lasttoken: 'last',
}
/** Usual limit of models with absolute positions, special tokens included; fragments are shorter. */
const maxInputTokens = 512
const specialTokens = 2

/**
 * Reads the settings from the files in a model's folder: from `sitelore.json`, then from the files of sentence-transformers.
 * Throws an error of one sentence if a file is missing, damaged or requires something that is not supported. `weights` names
 * those of a folder that does not have them yet.
 */
export function readModelSettings(folder: string, weights?: ModelSettings['weights']): ModelSettings {
  const missing = requiredFiles.find((file) => !existsSync(join(folder, file)))
  if (missing) throw new Error(`The embedding model is incomplete: ${missing} is missing in ${folder}.`)
  if (modelKindOf(folder) === 'reranker')
    throw new Error(`The model in ${folder} is a reranker: set RERANKER_MODEL to it, and another EMBEDDING_MODEL.`)
  const own = readJson(folder, 'sitelore.json', ownSettings) ?? {}
  const { max_position_embeddings, hidden_size, dim, d_model } = readJson(folder, 'config.json', config) ?? {}
  const { model_max_length } = readJson(folder, 'tokenizer_config.json', tokenizerConfig) ?? {}
  const { max_seq_length } = readJson(folder, 'sentence_bert_config.json', transformerConfig) ?? {}
  const lengths = [maxInputTokens, max_position_embeddings, model_max_length, max_seq_length]
  const denseLayers = readDenseLayers(folder)
  const lastLayer = denseLayers.at(-1)
  const lastWidth =
    lastLayer === undefined ? null : readJson(folder, denseFiles(lastLayer).config, denseConfig)?.out_features
  const pooling = own.pooling ?? readPooling(folder)
  const prompts = readPrompts(folder)
  return {
    queryPrefix: own.query_prefix ?? prompts.query,
    passagePrefix: own.passage_prefix ?? prompts.passage,
    pooling,
    output: own.output ?? null,
    maxTokens: Math.min(...lengths.filter((length) => length != null)) - specialTokens,
    denseLayers,
    keptDimensions: own.dimensions ?? null,
    dimensions: own.dimensions ?? lastWidth ?? hidden_size ?? dim ?? d_model ?? null,
    weights: weights ?? weightsIn(folder),
  }
}

/** The folders of the Dense layers. A layer after the model that is not computed would be missing from every vector. */
function readDenseLayers(folder: string): string[] {
  const found = readJson(folder, 'modules.json', modules) ?? []
  const named = found.map(({ type, path }) => ({ name: type.split('.').at(-1) ?? type, path }))
  const unsupported = named.find(({ name }) => !supportedModules.includes(name))
  if (unsupported)
    throw new Error(`modules.json in ${folder} contains a module that is not supported: ${unsupported.name}.`)
  const layers = named.filter(({ name }) => name === 'Dense').map(({ path }) => path)
  const outside = layers.find((path) => !/^[\w-]+$/.test(path))
  if (outside !== undefined)
    throw new Error(`modules.json in ${folder} has a layer with an invalid path: '${outside}'.`)
  return layers
}

function readPooling(folder: string): Pooling {
  const file = '1_Pooling/config.json'
  const read = readJson(folder, file, poolingConfig)
  if (!read) return 'mean'
  if (read.include_prompt === false)
    throw new Error(`${file} in ${folder} excludes the prompt from the vector, which is not supported.`)
  const modes = Object.keys(read).filter((key) => key.startsWith('pooling_mode_') && read[key] === true)
  const name = read.pooling_mode ?? modes.map((mode) => mode.replace('pooling_mode_', '')).join(' and ')
  const pooling = poolingByName[name]
  if (!pooling)
    throw new Error(
      `${file} in ${folder} requires the pooling '${name}', which is not supported: set pooling to mean, cls or last in sitelore.json.`,
    )
  return pooling
}

/** Looks up the names that sentence-transformers uses, in its order. */
function readPrompts(folder: string): { query: string; passage: string } {
  const { prompts, default_prompt_name } = readJson(folder, 'config_sentence_transformers.json', promptsConfig) ?? {}
  const promptOf = (...names: (string | null | undefined)[]) => {
    const name = names.find((item) => item != null && prompts?.[item] !== undefined)
    return (name != null && prompts?.[name]) || ''
  }
  return {
    query: promptOf('query', default_prompt_name),
    passage: promptOf('document', 'passage', 'corpus', default_prompt_name),
  }
}

/** Throws an error of one sentence if the folder has no weights. */
export function weightsIn(folder: string): ModelSettings['weights'] {
  const names = ['model_quantized.onnx', 'model.onnx'] as const
  const found = names.find((name) => existsSync(join(folder, 'onnx', name)))
  if (!found) throw new Error(`The model is incomplete: onnx/${names[0]} is missing in ${folder}.`)
  return found
}

/** The file of the weights, and those with the numbers of a model that is too large for one. */
export function weightFiles(folder: string, weights: ModelSettings['weights']): string[] {
  const names = readdirSync(join(folder, 'onnx')).filter((name) => name === weights || isWeightData(name, weights))
  return names.sort().map((name) => join('onnx', name))
}

/** Whether a file has numbers of the model in the file `weights`. */
export function isWeightData(name: string, weights: string): boolean {
  return name.startsWith(`${weights}_data`)
}
