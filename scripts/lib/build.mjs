import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import './root.mjs'

/**
 * The builds: label, sources and command. `made` is a file that must exist afterwards.
 * @type {Record<'server' | 'pages' | 'widget' | 'sbom', { label: string, sources: string[], made: string, args: string[] }>}
 */
const PARTS = {
  server: {
    label: 'Building the server',
    sources: [
      'cli',
      'contract',
      'db',
      'server',
      'workers',
      'package-lock.json',
      'scripts/build/build-server.mjs',
      'scripts/lib/bundle.mjs',
    ],
    made: 'build/app/index.js',
    args: ['scripts/build/build-server.mjs'],
  },
  pages: {
    label: 'Building the pages',
    sources: [
      'app',
      'contract',
      'public',
      'server/errors.ts',
      'package-lock.json',
      'remix.config.js',
      'vite.config.ts',
      'tsconfig.json',
      'scripts/build/build-pages.mjs',
      'scripts/lib/bundle.mjs',
      'scripts/lib/compress.mjs',
      'scripts/lib/icon-files.mjs',
      'scripts/lib/script-files.mjs',
    ],
    made: 'build/server/index.js',
    args: ['scripts/build/build-pages.mjs'],
  },
  widget: {
    label: 'Building the widget',
    sources: ['widget', 'package-lock.json', 'scripts/build/build-widget.mjs', 'scripts/lib/compress.mjs'],
    made: 'build/widget/widget.js',
    args: ['scripts/build/build-widget.mjs'],
  },
  sbom: {
    label: 'Listing packages and licenses',
    sources: ['models', 'public/fonts', 'package.json', 'package-lock.json', 'scripts/build/build-sbom.mjs'],
    made: 'build/sbom.cdx.json',
    args: ['scripts/build/build-sbom.mjs'],
  },
}

/**
 * Builds the parts that changed since the last build.
 * @param {(keyof typeof PARTS)[]} parts
 */
export async function ensureBuilt(parts = ['pages', 'widget', 'server']) {
  for (const name of parts) {
    const { label, sources, made, args } = PARTS[name]
    const stamp = `build/.${name}`
    const wanted = fingerprint(sources)
    if (existsSync(stamp) && existsSync(made) && readFileSync(stamp, 'utf8') === wanted) continue
    rmSync(stamp, { force: true })
    await runQuietly({
      label,
      command: process.execPath,
      args,
      env: { NODE_ENV: 'production' },
      log: `.cache/build-${name}.log`,
    })
    mkdirSync('build', { recursive: true })
    writeFileSync(stamp, wanted)
  }
}

/**
 * A hash of the names, sizes and times of all files under these paths, without tests.
 * @param {string[]} paths
 */
function fingerprint(paths) {
  const hash = createHash('sha256')
  /** @param {string} path */
  const add = (path) => {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  for (const path of paths.filter((text) => existsSync(text))) {
    if (statSync(path).isFile()) add(path)
    else for (const file of filesIn(path)) add(file)
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesIn(path)
      return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [path] : []
    })
}
