import { kernelBase64 } from './kernel-wasm'

/** The functions of `kernel.wat` on one memory. Arguments are byte offsets; a plane has 256 rows of `width` bytes. */
export interface Kernel {
  /** Writes the dot product of each row with the query; adds it to the sums if `accumulate` is 1. */
  dots(plane: number, query: number, width: number, sums: number, accumulate: 0 | 1): void
  dot(row: number, query: number, width: number): number
  /** Writes the rows above the threshold and their scores; returns their number. Overwrites the sums. */
  above(sums: number, scales: number, factor: number, threshold: number, rows: number, scores: number): number
  /** Returns the scale of the vector, 0 for one of zeros. */
  quantize(vector: number, head: number, headWidth: number, tail: number, tailWidth: number): number
  /** Writes the dot products of a vector with the rows of a matrix, both of 32-bit floats, which are as many as `rows`. */
  project(matrix: number, vector: number, columns: number, rows: number, result: number): void
}

let compiled: WebAssembly.Module | null = null

/** Instantiates the kernel on a memory. Compiles it once per thread. */
export function openKernel(memory: WebAssembly.Memory): Kernel {
  compiled ??= new WebAssembly.Module(Buffer.from(kernelBase64, 'base64'))
  return new WebAssembly.Instance(compiled, { copy: { memory } }).exports as unknown as Kernel
}
