import { resolve } from 'node:path'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { createTransformersEmbedder } from '../../server/adapters/embedding/transformers'
import type { Embedder, Tokenizer } from '../../server/engine/ports/search-index'
import type { SetFolders } from './sets/set-fragments'
import { keepVectors } from './vector-cache'

const repository = resolve(import.meta.dirname, '../..')
const cache = resolve(repository, '.cache/eval')

/** Options that all measurements of retrieval have. */
export const sharedOptions = {
  root: { type: 'string', default: resolve(repository, '../shared/eval') },
  packages: { type: 'string', default: resolve(cache, 'packages') },
  model: { type: 'string', default: resolve(repository, 'models/all-MiniLM-L6-v2') },
  sets: { type: 'string' },
} as const

export interface Tools {
  embedder: Embedder
  tokenizer: Tokenizer
  folders: SetFolders
}

/** The product's model, with the vectors of earlier runs, and where the sets are. */
export async function openTools(options: { root: string; packages: string; model: string }): Promise<Tools> {
  const tokenizer = createTokenizer(options.model)
  const embedder = await keepVectors(await createTransformersEmbedder({ modelFolder: options.model }), cache)
  const folders = { root: options.root, packages: [options.packages, '/'] }
  return { embedder, tokenizer, folders }
}
