import { AppError } from '../../../errors'
import { isWeightData, type ModelSettings } from '../../embedding/model-settings'
import type { CatalogueModel } from '../catalogue'
import type { HubFile } from './model-hub'

const settingFiles =
  /^((config|tokenizer|tokenizer_config|special_tokens_map|modules|sentence_bert_config|config_sentence_transformers)\.json|1_Pooling\/config\.json|\d+_Dense\/(config\.json|model\.safetensors))$/
const weightsFolder = 'onnx/'

export interface SelectedFiles {
  weights: ModelSettings['weights']
  /** In the order in which they are downloaded: those that may show that the model is not supported come first. */
  files: HubFile[]
}

/** Selects the files that a model needs. Throws AppError if the repository has no weights in the ONNX format. */
export function selectFiles(
  files: HubFile[],
  { id, repository, known }: { id: string; repository: string; known: CatalogueModel | null },
): SelectedFiles {
  const candidates = known ? [known.weights] : (['model_quantized.onnx', 'model.onnx'] as const)
  const weights = candidates.find((name) => files.some(({ path }) => path === weightsFolder + name))
  if (!weights)
    throw new AppError(
      'not_found',
      `${repository} has no file ${candidates.map((name) => weightsFolder + name).join(' or ')}. Choose a model with weights in the ONNX format: sitelore models list shows some.`,
    )
  const isWanted = ({ path }: HubFile) => {
    if (!path.startsWith(weightsFolder)) return settingFiles.test(path)
    const name = path.slice(weightsFolder.length)
    return name === weights || isWeightData(name, weights)
  }
  const selected = files.filter(isWanted)
  const missing = ['config.json', 'tokenizer.json', 'tokenizer_config.json'].find((name) =>
    selected.every(({ path }) => path !== name),
  )
  if (missing !== undefined)
    throw new AppError('not_found', `${repository} has no file ${missing}, without which ${id} cannot be used.`)
  const isWeights = ({ path }: HubFile) => Number(path.startsWith(weightsFolder))
  return { weights, files: selected.toSorted((a, b) => isWeights(a) - isWeights(b) || a.bytes - b.bytes) }
}
