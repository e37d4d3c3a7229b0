import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { workerFile } from '../threads/worker-file'

export interface ProcessEntry {
  /** Arguments for node. */
  args: string[]
  /** Memory and processor time that the TypeScript loader takes. */
  loaderBytes: number
  loaderMs: number
}

/** Exit code of a process that failed because of the machine (EX_IOERR of sysexits.h), not because of its input. */
export const machineFailureCode = 74

const loaderBytes = 384 * 1024 * 1024
const loaderMs = 5_000

/** Returns how to run `workers/<path>` as a process; TypeScript needs a loader. */
export function processEntry(path: string): ProcessEntry {
  const file = workerFile(path)
  if (!file.pathname.endsWith('.ts')) return { args: [fileURLToPath(file)], loaderBytes: 0, loaderMs: 0 }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return { args: ['--import', loader, fileURLToPath(file)], loaderBytes, loaderMs }
}
