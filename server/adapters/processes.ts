import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * What node is to run for `workers/processes/<name>`: TypeScript through a loader in development and tests, in the bundle
 * the file `processes/<name>.js` beside it.
 */
export function processEntry(name: string): string[] {
  if (!import.meta.url.endsWith('.ts')) return [fileURLToPath(new URL(`./processes/${name}.js`, import.meta.url))]
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--import', loader, fileURLToPath(new URL(`../../workers/processes/${name}.ts`, import.meta.url))]
}
