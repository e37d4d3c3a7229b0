import { Worker, type WorkerOptions } from 'node:worker_threads'
import { workerFile } from './worker-file'

/**
 * Starts `workers/threads/<name>` as a worker thread with `data` as its `workerData`. TypeScript is started through
 * `workers/start.mjs`, which registers a loader.
 */
export function startThread(
  name: string,
  data: Record<string, unknown> = {},
  options: Omit<WorkerOptions, 'workerData' | 'eval'> = {},
): Worker {
  const file = workerFile(`threads/${name}`)
  // The loader flags of the parent do not work in a thread.
  const common: WorkerOptions = { execArgv: [], name, ...options }
  if (!file.pathname.endsWith('.ts')) return new Worker(file, { ...common, workerData: data })
  return new Worker(new URL('../start.mjs', file), { ...common, workerData: { ...data, entry: file.href } })
}
