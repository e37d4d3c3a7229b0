import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** How the pieces of a text become one vector: their mean, the first one, or the last one. */
export type Pooling = 'mean' | 'cls' | 'last'

/** What a model's folder says of how its vectors are made. */
export interface ModelSettings {
  /** Stands in front of every query and every passage; mostly empty. */
  queryPrefix: string
  passagePrefix: string
  pooling: Pooling
  /** Word pieces that are read of a text, its prefix counted, the two special ones not. */
  maxTokens: number
  /** In the folder, under `onnx`. */
  weights: 'model_quantized.onnx' | 'model.onnx'
}

/** Ours, and first: `sitelore.json` in the model's folder. */
const prefix = z.string('must be text').max(1_000, 'must have at most 1000 characters').optional()
const ownSettings = z.strictObject({
  query_prefix: prefix,
  passage_prefix: prefix,
  pooling: z.enum(['mean', 'cls', 'last'], 'must be mean, cls or last').optional(),
  normalize: z
    .literal(true, 'must be true or left out: vectors are compared by their angle, so all are made one long')
    .optional(),
})

const size = z.number('must be a number').int('must be a whole number').positive('must be above 0')
const config = z.object({ max_position_embeddings: size.optional() })
/** Where no length is set, a number above all integers stands for it. */
const tokenizerConfig = z.object({ model_max_length: z.number('must be a number').positive().optional() })
// The three of sentence-transformers.
const transformerConfig = z.object({ max_seq_length: size.nullish() })
const parts = z.array(z.object({ type: z.string('must be text') }), 'must be a list')
const promptsConfig = z.object({
  prompts: z.record(z.string(), z.string('must be text')).nullish(),
  default_prompt_name: z.string('must be text').nullish(),
})
const poolingConfig = z.looseObject({
  pooling_mode: z.string('must be text').optional(),
  include_prompt: z.boolean('must be true or false').optional(),
})

const neededFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json']
const knownParts = ['Transformer', 'Pooling', 'Normalize']
// A mean that is divided by the root of the length points the same way.
const knownPooling: Record<string, Pooling> = {
  mean: 'mean',
  mean_tokens: 'mean',
  mean_sqrt_len_tokens: 'mean',
  cls: 'cls',
  cls_token: 'cls',
  lasttoken: 'last',
}
/** What a model with absolute positions reads at most, and what fragments of ours never need. */
const longestInput = 512
const specialPieces = 2

/**
 * Reads what the files in a model's folder say: those of sentence-transformers where there are some, and `sitelore.json`
 * before them. Throws an error of one sentence where a file is missing, damaged, or asks for what is not known here.
 */
export function readModelSettings(folder: string): ModelSettings {
  const missing = neededFiles.find((file) => !existsSync(join(folder, file)))
  if (missing) throw new Error(`The embedding model is incomplete: ${missing} is missing in ${folder}.`)
  const own = readJson(folder, 'sitelore.json', ownSettings) ?? {}
  const { max_position_embeddings } = readJson(folder, 'config.json', config) ?? {}
  const { model_max_length } = readJson(folder, 'tokenizer_config.json', tokenizerConfig) ?? {}
  const { max_seq_length } = readJson(folder, 'sentence_bert_config.json', transformerConfig) ?? {}
  const lengths = [longestInput, max_position_embeddings, model_max_length, max_seq_length]
  refuseOtherParts(folder)
  const pooling = own.pooling ?? readPooling(folder)
  const prompts = readPrompts(folder)
  return {
    queryPrefix: own.query_prefix ?? prompts.query,
    passagePrefix: own.passage_prefix ?? prompts.passage,
    pooling,
    maxTokens: Math.min(...lengths.filter((length) => length != null)) - specialPieces,
    weights: weightsIn(folder),
  }
}

/** A layer behind the model that is not computed here would be missing in every vector. */
function refuseOtherParts(folder: string): void {
  const names = (readJson(folder, 'modules.json', parts) ?? []).map(({ type }) => type.split('.').at(-1) ?? type)
  const other = names.find((name) => !knownParts.includes(name))
  if (other) throw new Error(`modules.json in ${folder} names a part that is not known here: ${other}.`)
}

function readPooling(folder: string): Pooling {
  const file = '1_Pooling/config.json'
  const read = readJson(folder, file, poolingConfig)
  if (!read) return 'mean'
  if (read.include_prompt === false)
    throw new Error(`${file} in ${folder} leaves the prompt out of the vector, which is not known here.`)
  const modes = Object.keys(read).filter((key) => key.startsWith('pooling_mode_') && read[key] === true)
  const asked = read.pooling_mode ?? modes.map((mode) => mode.replace('pooling_mode_', '')).join(' and ')
  const pooling = knownPooling[asked]
  if (!pooling)
    throw new Error(
      `${file} in ${folder} asks for '${asked}', which is not known here: name mean, cls or last as pooling in sitelore.json.`,
    )
  return pooling
}

/** By the names that sentence-transformers looks for, in its order. */
function readPrompts(folder: string): { query: string; passage: string } {
  const { prompts, default_prompt_name } = readJson(folder, 'config_sentence_transformers.json', promptsConfig) ?? {}
  const named = (...names: (string | null | undefined)[]) => {
    const name = names.find((one) => one != null && prompts?.[one] !== undefined)
    return (name != null && prompts?.[name]) || ''
  }
  return {
    query: named('query', default_prompt_name),
    passage: named('document', 'passage', 'corpus', default_prompt_name),
  }
}

function weightsIn(folder: string): ModelSettings['weights'] {
  const names = ['model_quantized.onnx', 'model.onnx'] as const
  const found = names.find((name) => existsSync(join(folder, 'onnx', name)))
  if (!found) throw new Error(`The embedding model is incomplete: onnx/${names[0]} is missing in ${folder}.`)
  return found
}

/** Null where there is no such file. */
function readJson<Value>(folder: string, file: string, schema: z.ZodType<Value>): Value | null {
  const path = join(folder, file)
  if (!existsSync(path)) return null
  const parsed = schema.safeParse(jsonOf(readFileSync(path, 'utf8'), `${file} in ${folder}`))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${file} in ${folder} is wrong: ${[...(issue?.path ?? []), issue?.message].join(' ')}.`)
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${name} is no JSON.`)
  }
}
