import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename, join } from 'node:path'
import type { ModelSettings } from './model-settings'
import { hasPcaMatrix, pcaFile } from './pca'

/**
 * The folder's name and the start of a SHA-256 over all that decides what a vector is: the weights, the tokenizer, the
 * rotation, and the settings. Two models, or two settings of one, never share it.
 */
export async function identityOf(modelFolder: string, settings: ModelSettings): Promise<string> {
  const { queryPrefix, passagePrefix, pooling, maxTokens, weights } = settings
  const hash = createHash('sha256')
  hash.update(JSON.stringify([queryPrefix, passagePrefix, pooling, maxTokens]))
  const files = ['tokenizer.json', join('onnx', weights), ...(hasPcaMatrix(modelFolder) ? [pcaFile] : [])]
  for (const file of files) {
    for await (const part of createReadStream(join(modelFolder, file))) hash.update(part)
  }
  return `${basename(modelFolder)}@${hash.digest('hex').slice(0, 12)}`
}
