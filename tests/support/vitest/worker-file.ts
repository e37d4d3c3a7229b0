import { pathToFileURL } from 'node:url'

/**
 * Replaces `server/adapters/threads/worker-file.ts` in tests: threads and processes run built files. Compiling TypeScript
 * takes each of them a second of processor time.
 */
export function workerFile(path: string): URL {
  return pathToFileURL(`build/app/${path}.js`)
}
