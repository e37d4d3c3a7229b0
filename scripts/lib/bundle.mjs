import { readdirSync } from 'node:fs'
import { build } from 'esbuild'

/** What has binaries or files of its own, or is used in development only. */
const EXTERNAL = [
  '@huggingface/transformers',
  '@node-rs/argon2',
  'better-sqlite3',
  'pdfjs-dist',
  'pg',
  'pino',
  'sqlite-vec',
  'vite',
]

// Packages in CommonJS expect these three.
const CLASSIC = `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)
const __filename = import.meta.filename ?? new URL(import.meta.url).pathname
const __dirname = import.meta.dirname ?? new URL('.', import.meta.url).pathname`

/**
 * Bundles for Node 20 and newer, with all packages but those in EXTERNAL.
 * @param {import('esbuild').BuildOptions} options what to bundle, and where to
 */
export async function bundleForNode(options) {
  await build({
    bundle: true,
    external: EXTERNAL,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: CLASSIC },
    logLevel: 'warning',
    ...options,
  })
}

/**
 * What runs beside a bundle, as entry points: the worker threads and the child processes, each a file of its own.
 * @returns {Record<string, string>}
 */
export function workerEntries() {
  /** @param {string} folder */
  const entriesIn = (folder) =>
    readdirSync(`workers/${folder}`)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => [`${folder}/${name.slice(0, -3)}`, `workers/${folder}/${name}`])
  return Object.fromEntries(['threads', 'processes'].flatMap(entriesIn))
}
