import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { runQuietly, StepError } from './child.mjs'
import { findProgram, missingCompiler, requireNode } from './requirements.mjs'
import './root.mjs'

const STAMP = 'node_modules/.sitelore-lock'
/** Node 20 lacks the Node-API that the binaries of better-sqlite3 13 need. Version 12 has none in its package. */
const NEEDS_COMPILED_DRIVER = Number(process.versions.napi) < 10
const DRIVER = NEEDS_COMPILED_DRIVER
  ? 'node_modules/better-sqlite3-node20/build/Release/better_sqlite3.node'
  : `node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`
/** The ABI that the driver was compiled for. */
const DRIVER_ABI = 'node_modules/better-sqlite3-node20/build/.abi'

/** Installs node_modules from the lockfile for this Node. Returns within milliseconds if it is up to date. */
export async function ensureInstalled() {
  requireNode()
  const wanted = stampOf()
  const arePackagesInstalled = textOf(STAMP) === wanted
  if (arePackagesInstalled && isDriverInstalled()) return

  if (NEEDS_COMPILED_DRIVER) await requireCompilerOrBinary()
  const npm = findNpm()
  if (!arePackagesInstalled && !isInstalledByHand()) await installPackages(npm)
  writeFileSync(STAMP, wanted)
  if (!isDriverInstalled()) await installDriver(npm)
}

function isDriverInstalled() {
  return existsSync(DRIVER) && (!NEEDS_COMPILED_DRIVER || textOf(DRIVER_ABI) === process.versions.modules)
}

/** @param {string} file */
function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** @param {{ command: string, args: string[], shell?: boolean }} npm */
async function installPackages(npm) {
  rmSync(STAMP, { force: true })
  const total = countWanted()
  await runQuietly({
    label: 'Installing packages (once, some minutes)',
    ...npm,
    // No package needs its installation script, apart from the driver for Node 20.
    args: [...npm.args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--include=dev'],
    log: '.cache/install.log',
    detail: () => `${Math.min(countPackages(), total)} of ${total}`,
  })
}

/**
 * Downloads or compiles the SQLite driver of Node 20.
 * @param {{ command: string, args: string[], shell?: boolean }} npm
 */
async function installDriver(npm) {
  if (!NEEDS_COMPILED_DRIVER) {
    throw new StepError(
      `The SQLite driver has no binary for ${process.platform} on ${process.arch}. Sitelore runs on Linux, macOS and Windows, on x64 and arm64.`,
    )
  }
  await runQuietly({
    label: 'Compiling the SQLite driver (once, for Node 20)',
    ...npm,
    args: [...npm.args, 'rebuild', 'better-sqlite3-node20', '--ignore-scripts=false'],
    // Compiling uses all cores.
    env: { ...headersOfThisNode(), JOBS: 'max' },
    log: '.cache/install-driver.log',
  })
  writeFileSync(DRIVER_ABI, process.versions.modules)
}

/** Packages with binaries depend on the platform. Apart from the driver of Node 20, one binary fits every Node. */
function stampOf() {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  return [lock, process.platform, process.arch].join(' ')
}

/** Whether `npm ci` or `npm install` was run by hand since the lockfile changed, by npm's own list of packages. */
function isInstalledByHand() {
  if (!existsSync('node_modules/.package-lock.json')) return false
  const installed = lockedPackages('node_modules/.package-lock.json')
  return Object.entries(lockedPackages('package-lock.json')).every(
    ([path, { version, optional, peer }]) => optional || peer || installed[path]?.version === version,
  )
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, peer?: boolean, os?: string[], cpu?: string[] }>}
 */
function lockedPackages(file) {
  const { '': _root, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages
  return packages
}

/** Fails early if the driver would have to be compiled without a compiler. A prebuilt binary needs none. */
async function requireCompilerOrBinary() {
  const missing = missingCompiler()
  if (!missing) return
  if (await isBinaryOffered()) return
  throw new StepError(missing)
}

async function isBinaryOffered() {
  // Node's fetch ignores proxies; behind one, only npm can tell.
  if (process.env.HTTPS_PROXY || process.env.https_proxy || process.env.npm_config_https_proxy) return true
  const { version } = lockedPackages('package-lock.json')['node_modules/better-sqlite3-node20'] ?? {}
  const name = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`
  const address = `https://github.com/WiseLibs/better-sqlite3/releases/download/v${version}/${name}`
  try {
    return (await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(5000) })).ok
  } catch {
    return false
  }
}

/** The npm that started this process, or the one in PATH. */
export function findNpm() {
  if (process.env.npm_execpath?.endsWith('.js')) return { command: process.execPath, args: [process.env.npm_execpath] }
  const npm = findProgram('npm')
  if (npm) return { command: npm, args: [], shell: process.platform === 'win32' }
  throw new StepError(
    'npm was not found. It comes with Node: install Node from https://nodejs.org and run the command again.',
  )
}

/**
 * Node's archives include the headers for compiling; with them nothing needs to be downloaded.
 * @returns {Record<string, string>}
 */
function headersOfThisNode() {
  const folder = resolve(dirname(process.execPath), '..')
  const header = join(folder, 'include/node/node_version.h')
  if (process.env.npm_config_nodedir || !existsSync(header)) return {}
  const major = process.versions.node.split('.')[0]
  return readFileSync(header, 'utf8').includes(`#define NODE_MAJOR_VERSION ${major}\n`)
    ? { npm_config_nodedir: folder }
    : {}
}

/** Number of folders that npm creates directly under node_modules on this platform. */
function countWanted() {
  const packages = Object.entries(lockedPackages('package-lock.json'))
  return packages.filter(([path, { os, cpu }]) => {
    const isNested = path.lastIndexOf('node_modules/') > 0
    return !isNested && (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true)
  }).length
}

/** Number of folders that are unpacked: npm creates the folders first and fills them later. */
function countPackages() {
  if (!existsSync('node_modules')) return 0
  return readdirSync('node_modules').flatMap((name) => {
    if (name.startsWith('.')) return []
    const inside = name.startsWith('@')
      ? readdirSync(join('node_modules', name)).map((part) => join(name, part))
      : [name]
    return inside.filter((path) => existsSync(join('node_modules', path, 'package.json')))
  }).length
}
