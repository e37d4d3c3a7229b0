/**
 * Returns the file of `workers/<path>`: TypeScript in the sources, JavaScript next to the bundle. Tests replace this module,
 * so that threads and processes start from built files.
 */
export function workerFile(path: string): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL(`./${path}.js`, import.meta.url)
  return new URL(`../../../workers/${path}.ts`, import.meta.url)
}
