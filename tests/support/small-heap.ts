import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'

/**
 * Runs TypeScript in a thread whose heap is limited to `heapMb` MiB, and resolves to the first message it posts. `source`
 * is a module that imports relative to the root of the repository. Rejects with `ERR_WORKER_OUT_OF_MEMORY` if it retains
 * more than that: garbage is collected before the limit is reached.
 */
export async function runInSmallHeap(source: string, heapMb: number): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    write: false,
  })
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 4 }
  const worker = new Worker(outputFiles[0]?.text ?? '', { eval: true, execArgv: [], resourceLimits })
  try {
    const [message] = await once(worker, 'message')
    return message
  } finally {
    await worker.terminate()
  }
}
