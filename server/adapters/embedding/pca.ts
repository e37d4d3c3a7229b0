import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** File in a model's folder: the 32-bit floats of the PCA rotation matrix, row by row. */
export const pcaFile = 'rotation.f32'

const bytesPerFloat = 4

/** Whether the vectors of this model are rotated, so that their first components have most of the variance. */
export function hasPcaMatrix(modelFolder: string): boolean {
  return existsSync(join(modelFolder, pcaFile))
}

/**
 * Returns a function that rotates vectors of the model so that their first components have most of the variance. Angles
 * between vectors do not change. Without the file, vectors are returned as they are. The function throws if the size of the
 * matrix does not match.
 */
export function openPca(modelFolder: string): (vector: Float32Array) => Float32Array {
  if (!hasPcaMatrix(modelFolder)) return (vector) => vector
  const file = readFileSync(join(modelFolder, pcaFile))
  const matrix = new Float32Array(new Uint8Array(file).buffer, 0, Math.floor(file.length / bytesPerFloat))
  return (vector) => {
    const { length } = vector
    if (file.length !== length * length * bytesPerFloat)
      throw new Error(`${pcaFile} does not match vectors of ${length} numbers.`)
    const rotated = new Float32Array(length)
    for (let row = 0; row < length; row++) {
      let sum = 0
      for (let n = 0; n < length; n++) sum += (matrix[row * length + n] ?? 0) * (vector[n] ?? 0)
      rotated[row] = sum
    }
    return rotated
  }
}
