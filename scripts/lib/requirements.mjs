import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { StepError } from './child.mjs'

const LEAST = [20, 19]

/**
 * Throws if Node is too old.
 * @param {string} version such as "20.19.0"
 */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new StepError(
    `Sitelore needs Node ${LEAST.join('.')} or newer; this is Node ${version}.\n` +
      'Install a newer one from https://nodejs.org (or with your version manager: nvm install 24) and run the command again.',
  )
}

/**
 * What is missing to compile the SQLite driver of Node 20 on this platform; null if nothing is.
 * @returns {string | null}
 */
export function missingCompiler() {
  const missing = [
    findProgram('python3', 'python') ? '' : 'python3',
    process.platform === 'win32' || findProgram('make', 'gmake') ? '' : 'make',
    process.platform === 'win32' || findProgram('g++', 'c++', 'clang++') ? '' : 'g++',
  ].filter(Boolean)
  if (missing.length === 0) return null
  return `For Node ${process.versions.node}, the SQLite driver has to be compiled, and this machine has no ${missing.join(', no ')}.\nUse Node 24, which needs no compiler. ${howToInstall()}`
}

function howToInstall() {
  if (process.platform === 'darwin') return 'Or install them with: xcode-select --install'
  if (process.platform === 'win32') {
    return 'Or install Python 3 and the "Desktop development with C++" workload of the Visual Studio Build Tools:\nwinget install Python.Python.3.12 Microsoft.VisualStudio.2022.BuildTools'
  }
  return [
    'Or install them with one of:',
    '  Debian, Ubuntu   sudo apt-get install python3 make g++',
    '  Fedora           sudo dnf install python3 make gcc-c++',
    '  Alpine           sudo apk add python3 make g++',
  ].join('\n')
}

/**
 * The path of the first of these programs in PATH.
 * @param {...string} names
 * @returns {string | null}
 */
export function findProgram(...names) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : ['']
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const found = endings.map((ending) => join(folder, name + ending)).find((path) => folder && existsSync(path))
      if (found) return found
    }
  }
  return null
}
