import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In a model's folder: 32-bit numbers, row by row, of a matrix that turns its vectors onto their principal axes. */
export const pcaFile = 'rotation.f32'

const bytesOfNumber = 4

/** Whether the first numbers of the vectors of the model in this folder tell most of them. */
export function hasPcaMatrix(modelFolder: string): boolean {
  return existsSync(join(modelFolder, pcaFile))
}

/**
 * Turns vectors of the model so that their first numbers tell most of them; angles between them stay. Without the file
 * vectors stay as they are. Throws where it does not fit the vectors.
 */
export function openPca(modelFolder: string): (vector: Float32Array) => Float32Array {
  if (!hasPcaMatrix(modelFolder)) return (vector) => vector
  const file = readFileSync(join(modelFolder, pcaFile))
  const matrix = new Float32Array(new Uint8Array(file).buffer, 0, Math.floor(file.length / bytesOfNumber))
  return (vector) => {
    const { length } = vector
    if (file.length !== length * length * bytesOfNumber)
      throw new Error(`${pcaFile} is not for vectors of ${length} numbers.`)
    const turned = new Float32Array(length)
    for (let row = 0; row < length; row++) {
      let sum = 0
      for (let n = 0; n < length; n++) sum += (matrix[row * length + n] ?? 0) * (vector[n] ?? 0)
      turned[row] = sum
    }
    return turned
  }
}
