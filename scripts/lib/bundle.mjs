import { readdirSync } from 'node:fs'
import { build } from 'esbuild'

/** Packages that bundles load at run time, because they have binaries or files, or start threads. */
export const RUNTIME_PACKAGES = [
  '@huggingface/transformers',
  '@node-rs/argon2',
  'better-sqlite3',
  'better-sqlite3-node20',
  'pdfjs-dist',
  'pg',
  'pino',
  'sqlite-vec',
]

// CommonJS packages expect these globals.
const CLASSIC = `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)
const __filename = import.meta.filename ?? new URL(import.meta.url).pathname
const __dirname = import.meta.dirname ?? new URL('.', import.meta.url).pathname`

/**
 * Bundles for Node 20.19 or newer, with all packages except RUNTIME_PACKAGES.
 * @param {import('esbuild').BuildOptions} options entry points and output
 */
export async function bundleForNode(options) {
  await build({
    bundle: true,
    // Vite is for development only.
    external: [...RUNTIME_PACKAGES, 'vite'],
    platform: 'node',
    // What Node 20.19 has. For targets such as 'node20', esbuild has patterns with \p{…} compiled at each use.
    target: 'es2023',
    format: 'esm',
    banner: { js: CLASSIC },
    logLevel: 'warning',
    ...options,
  })
}

/**
 * The entry points of worker threads and child processes, each bundled into its own file.
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
