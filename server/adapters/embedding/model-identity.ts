import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename, join } from 'node:path'
import { denseFiles } from './dense-layers'
import { type ModelSettings, weightFiles } from './model-settings'
import { hasPcaMatrix, pcaFile } from './pca'

/**
 * Returns the name of the folder and the first 12 digits of a SHA-256 of everything that determines the vectors: weights,
 * layers, tokenizer, rotation and settings. A model with other settings has another identity.
 */
export async function identityOf(modelFolder: string, settings: ModelSettings): Promise<string> {
  const { queryPrefix, passagePrefix, pooling, maxTokens, output, weights, denseLayers, keptDimensions } = settings
  const hash = createHash('sha256')
  hash.update(JSON.stringify([queryPrefix, passagePrefix, pooling, maxTokens]))
  if (output !== null) hash.update(`output ${output}`)
  if (keptDimensions !== null) hash.update(`dimensions ${keptDimensions}`)
  const layers = denseLayers.map(denseFiles).flatMap((layer) => [layer.config, layer.weights])
  const files = [
    'tokenizer.json',
    ...weightFiles(modelFolder, weights),
    ...layers,
    ...(hasPcaMatrix(modelFolder) ? [pcaFile] : []),
  ]
  for (const file of files) {
    for await (const chunk of createReadStream(join(modelFolder, file))) hash.update(chunk)
  }
  return `${basename(modelFolder)}@${hash.digest('hex').slice(0, 12)}`
}
