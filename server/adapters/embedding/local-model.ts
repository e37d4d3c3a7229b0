import { basename, dirname } from 'node:path'
import { env } from '@huggingface/transformers'
import type { ModelSettings } from './model-settings'

// More than the average of any real text, so a model never reads what is after that.
const maxCharactersPerToken = 40

/** Makes the library read the models beside this one, and nothing else. Returns the options to load this one with. */
export function localModel(modelFolder: string, weights: ModelSettings['weights']) {
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.useFSCache = false
  env.localModelPath = dirname(modelFolder)
  return {
    name: basename(modelFolder),
    dtype: weights === 'model.onnx' ? 'fp32' : 'q8',
    device: 'cpu',
  } as const
}

/** The part of a text that may have this many tokens. */
export function firstCharacters(text: string, maxTokens: number): string {
  return text.slice(0, maxTokens * maxCharactersPerToken)
}

/** Keeps the last special token, which the library's own truncation drops although models were trained with it. */
export function truncateTokens<Token>(tokens: Token[], max: number): Token[] {
  return tokens.length <= max ? tokens : [...tokens.slice(0, max - 1), ...tokens.slice(-1)]
}
