import { Worker, type WorkerOptions } from 'node:worker_threads'
import { workerFile } from './worker-file'

/**
 * Starts `workers/threads/<name>` as a worker thread; TypeScript goes through `workers/start.mjs`, which registers a
 * loader. `data` reaches the thread as `workerData`.
 */
export function startThread(
  name: string,
  data: Record<string, unknown> = {},
  options: Omit<WorkerOptions, 'workerData' | 'eval'> = {},
): Worker {
  const file = workerFile(`threads/${name}`)
  // The parent's own loader flags do not work inside a thread.
  const common: WorkerOptions = { execArgv: [], name, ...options }
  if (!file.pathname.endsWith('.ts')) return new Worker(file, { ...common, workerData: data })
  return new Worker(new URL('../start.mjs', file), { ...common, workerData: { ...data, entry: file.href } })
}
