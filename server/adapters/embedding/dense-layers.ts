import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from './model-files'
import { readSafetensors } from './safetensors'

/** Not normalized. */
export type Vector = Float32Array | Float64Array

interface DenseLayer {
  outputs: number
  inputs: number
  /** Row by row, a row for each output. */
  weights: Float32Array
  bias: Float32Array | null
  activate(value: number): number
}

const activations = new Map<string, (value: number) => number>([
  ['Identity', (value) => value],
  ['Tanh', Math.tanh],
  ['ReLU', (value) => Math.max(0, value)],
])

/** `config.json` of a Dense layer of sentence-transformers. Its default activation is the hyperbolic tangent. */
const config = z.looseObject({ activation_function: z.string('must be text').default('Tanh') })

const weightsFile = 'model.safetensors'

/** Files of a layer, relative to the model's folder: its weights determine the vectors. */
export function denseFiles(layer: string): { config: string; weights: string } {
  return { config: join(layer, 'config.json'), weights: join(layer, weightsFile) }
}

/**
 * Returns a function that puts a pooled vector through the layers that follow the pooling, in order. `paths` are their
 * folders in the model's folder. Throws an error of one sentence if a file is missing or not supported.
 */
export function openDenseLayers(modelFolder: string, paths: string[]): (vector: Vector) => Vector {
  const layers = paths.map((path) => readLayer(modelFolder, path))
  return (vector) => layers.reduce(apply, vector)
}

function readLayer(modelFolder: string, path: string): DenseLayer {
  const files = denseFiles(path)
  const { activation_function } = readJson(modelFolder, files.config, config) ?? config.parse({})
  const name = activation_function.split('.').at(-1) ?? ''
  const activate = activations.get(name)
  if (!activate) throw new Error(`${files.config} has the activation ${name}, which is not supported.`)
  if (!existsSync(join(modelFolder, files.weights)))
    throw new Error(`The embedding model is incomplete: ${files.weights} is missing in ${modelFolder}.`)
  const tensors = readSafetensors(join(modelFolder, files.weights), files.weights)
  const weights = tensors.get('linear.weight')
  const bias = tensors.get('linear.bias')
  const [outputs = 0, inputs = 0] = weights?.shape ?? []
  if (weights?.shape.length !== 2 || (bias && bias.values.length !== outputs))
    throw new Error(`${files.weights} does not contain the weights of a Dense layer.`)
  return { outputs, inputs, weights: weights.values, bias: bias?.values ?? null, activate }
}

function apply(vector: Vector, { outputs, inputs, weights, bias, activate }: DenseLayer): Float64Array {
  if (vector.length !== inputs)
    throw new Error(`A Dense layer of the model reads ${inputs} numbers, but gets ${vector.length}.`)
  const result = new Float64Array(outputs)
  for (let row = 0; row < outputs; row++) {
    let sum = bias?.[row] ?? 0
    for (let n = 0; n < inputs; n++) sum += (weights[row * inputs + n] ?? 0) * (vector[n] ?? 0)
    result[row] = activate(sum)
  }
  return result
}
