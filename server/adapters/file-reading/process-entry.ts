import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface ProcessEntry {
  /** What node is to run. */
  args: string[]
  /** Memory that the loader of TypeScript takes for itself. */
  loaderBytes: number
}

/** With this a process ends where the machine failed it (EX_IOERR of sysexits.h), which says nothing of what it was given. */
export const machineFailureCode = 74

const loaderBytes = 384 * 1024 * 1024

/**
 * How `workers/processes/<name>` is run: TypeScript through a loader in development and tests, in the bundle the file
 * `processes/<name>.js` beside it.
 */
export function processEntry(name: string): ProcessEntry {
  if (!import.meta.url.endsWith('.ts')) {
    return { args: [fileURLToPath(new URL(`./processes/${name}.js`, import.meta.url))], loaderBytes: 0 }
  }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const file = fileURLToPath(new URL(`../../../workers/processes/${name}.ts`, import.meta.url))
  return { args: ['--import', loader, file], loaderBytes }
}
