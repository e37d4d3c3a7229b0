import { kernelBase64 } from './kernel-wasm'

/** The functions of `kernel.wat` on one memory. Places are byte offsets; a plane has 256 rows of `width` bytes. */
export interface Kernel {
  /** Writes plane . query for each row; adds it to what is there where `more` is 1. */
  dots(plane: number, query: number, width: number, sums: number, more: 0 | 1): void
  dot(row: number, query: number, width: number): number
  /** Writes rows and scores of those above the threshold; returns how many. Overwrites the sums. */
  above(sums: number, scales: number, factor: number, threshold: number, rows: number, scores: number): number
  /** Returns the scale of the vector, 0 for one of zeros. */
  quantize(vector: number, head: number, tail: number, width: number): number
}

let compiled: WebAssembly.Module | null = null

/** The kernel over this memory; compiled once in a thread. */
export function openKernel(memory: WebAssembly.Memory): Kernel {
  compiled ??= new WebAssembly.Module(Buffer.from(kernelBase64, 'base64'))
  return new WebAssembly.Instance(compiled, { copy: { memory } }).exports as unknown as Kernel
}
