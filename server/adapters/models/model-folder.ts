import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelKind } from '../../../contract/views/model'
import { denseFiles } from '../embedding/dense-layers'
import { modelKindOf } from '../embedding/model-kind'
import { type ModelSettings, readModelSettings, weightFiles } from '../embedding/model-settings'
import { pcaFile } from '../embedding/pca'
import { readRerankerSettings } from '../reranking/reranker-settings'

/** What the files of a model say, whatever it is for. */
export interface ReadSettings {
  kind: ModelKind
  weights: ModelSettings['weights']
  maxTokens: number
  /** Null for a reranker, and if the files do not say. */
  dimensions: number | null
  denseLayers: string[]
}

const optionalFiles = [
  'tokenizer_config.json',
  'special_tokens_map.json',
  'modules.json',
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
  'sentence_bert_config.json',
  'sitelore.json',
  'LICENSE',
  'NOTICE',
  pcaFile,
]

/**
 * Reads the settings of a model. Throws an error of one sentence if it is not supported. `weights` names those of a folder
 * that does not have them yet.
 */
export function readSettings(folder: string, weights?: ModelSettings['weights']): ReadSettings {
  const kind = modelKindOf(folder)
  if (kind === 'reranker') return { kind, dimensions: null, denseLayers: [], ...readRerankerSettings(folder, weights) }
  return { kind, ...readModelSettings(folder, weights) }
}

/** Paths of the files that the model in a folder needs. */
export function neededFiles(folder: string, { weights, denseLayers }: ReadSettings): string[] {
  return [
    'config.json',
    'tokenizer.json',
    ...weightFiles(folder, weights),
    ...denseLayers.map(denseFiles).flatMap((layer) => [layer.config, layer.weights]),
    ...optionalFiles.filter((file) => existsSync(join(folder, file))),
  ]
}
