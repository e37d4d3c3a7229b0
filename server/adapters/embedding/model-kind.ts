import { z } from 'zod'
import type { ModelKind } from '../../../contract/views/model'
import { readJson } from './model-files'

const config = z.object({ architectures: z.array(z.string('must be text')).nullish() })

/** What a model in a folder is for, by its config.json. Throws an error of one sentence if that file is damaged. */
export function modelKindOf(folder: string): ModelKind {
  const { architectures } = readJson(folder, 'config.json', config) ?? {}
  return architectures?.some((name) => name.endsWith('ForSequenceClassification')) ? 'reranker' : 'embedding'
}
