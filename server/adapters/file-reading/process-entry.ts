import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { workerFile } from '../threads/worker-file'

export interface ProcessEntry {
  /** What node is to run. */
  args: string[]
  /** Memory that the loader of TypeScript takes for itself. */
  loaderBytes: number
}

/** With this a process ends where the machine failed it (EX_IOERR of sysexits.h), which says nothing of what it was given. */
export const machineFailureCode = 74

const loaderBytes = 384 * 1024 * 1024

/** How `workers/<path>` is run as a process: TypeScript needs a loader. */
export function processEntry(path: string): ProcessEntry {
  const file = workerFile(path)
  if (!file.pathname.endsWith('.ts')) return { args: [fileURLToPath(file)], loaderBytes: 0 }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return { args: ['--import', loader, fileURLToPath(file)], loaderBytes }
}
