// For container images: copies into runtime/node_modules the packages that the bundles load, with what they depend on, and
// leaves out what never runs there: binaries for other platforms, sources, type declarations, source maps, documentation.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { RUNTIME_PACKAGES } from '../lib/bundle.mjs'
import '../lib/root.mjs'

const target = 'runtime'
const platform = `${process.platform}-${process.arch}`
const unusedDriver = Number(process.versions.napi) >= 10 ? 'better-sqlite3-node20' : 'better-sqlite3'

/** Dependencies that only installers use, or that render PDF pages, of which only the text is read. */
const unused = new Set([
  '@napi-rs/canvas',
  'adm-zip',
  'global-agent',
  'node-addon-api',
  'prebuild-install',
  unusedDriver,
])

const unusedFiles =
  /\.(?:map|md|d\.[cm]?ts|ts|flow|gyp|c|cc|cpp|h|hpp|wat)$|^\.|^(?:test|tests|docs|benchmark|benchmarks|example|examples)$/i

/**
 * Files that run, of packages that hold much else.
 * @type {Record<string, RegExp>}
 */
const runningFiles = {
  '@huggingface/transformers': /^dist\/transformers\.node\.mjs$/,
  'better-sqlite3': new RegExp(`^lib/|^prebuilds/${platform}\\.node$`),
  'better-sqlite3-node20': /^lib\/|^build\/Release\/better_sqlite3\.node$/,
  'onnxruntime-node': new RegExp(`^dist/|^bin/[^/]+/${process.platform}/${process.arch}/(?!.*(?:cuda|tensorrt))`),
  'pdfjs-dist': /^(?:cmaps|standard_fonts)\/|^legacy\/build\/pdf(?:\.worker)?\.mjs$/,
}

rmSync(target, { recursive: true, force: true })
const copied = new Set()
for (const name of RUNTIME_PACKAGES) copyPackage(name, '.')

/**
 * @param {string} name
 * @param {string} parent folder of the package that depends on it
 */
function copyPackage(name, parent) {
  const folder = findPackage(name, parent)
  // An optional dependency for another platform is not installed.
  if (!folder || unused.has(name) || copied.has(folder)) return
  copied.add(folder)
  for (const path of filesIn(folder)) {
    if (mayRun(name, path)) cpSync(join(folder, path), join(target, folder, path), { dereference: true })
  }
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) copyPackage(dependency, folder)
}

/**
 * @param {string} name of the package
 * @param {string} path of the file in it
 */
function mayRun(name, path) {
  if (path === 'package.json' || /^licen[cs]e/i.test(path)) return true
  return runningFiles[name]?.test(path) ?? !path.split('/').some((part) => unusedFiles.test(part))
}

/**
 * The files of a package, without the packages inside it.
 * @param {string} folder
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').includes('node_modules'))
}

/**
 * The folder of a package as seen from another: its own node_modules first, then those above it.
 * @param {string} name
 * @param {string} parent
 * @returns {string | null}
 */
function findPackage(name, parent) {
  for (let folder = parent; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === '.') return null
  }
}
