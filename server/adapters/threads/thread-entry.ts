import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts `workers/threads/<name>` as a worker thread. From TypeScript (tsx, vitest) it goes through `workers/start.mjs`,
 * which registers a loader; in the bundle the thread is a file of its own, `threads/<name>.js` beside the bundle.
 * `data` reaches the thread as `workerData`.
 */
export function startThread(
  name: string,
  data: Record<string, unknown> = {},
  options: Omit<WorkerOptions, 'workerData' | 'eval'> = {},
): Worker {
  // The parent's own loader flags do not work inside a thread.
  const common: WorkerOptions = { execArgv: [], name, ...options }
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL(`./threads/${name}.js`, import.meta.url), { ...common, workerData: data })
  }
  const entry = new URL(`../../../workers/threads/${name}.ts`, import.meta.url).href
  return new Worker(new URL('../../../workers/start.mjs', import.meta.url), {
    ...common,
    workerData: { ...data, entry },
  })
}
