// `npm run check`: the checks of every change. Prints one line per check, and the output of those that fail.
import { spawn } from 'node:child_process'
import { start } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { seconds } from './lib/progress.mjs'

const CODE = ['app', 'cli', 'contract', 'db', 'server', 'widget', 'workers', 'tests', 'scripts']

/** @type {[string, string, string[]][]} */
const STEPS = [
  ['types', 'typescript/bin/tsc', ['--noEmit']],
  ['lint and format', '@biomejs/biome/bin/biome', ['ci', '--colors=off']],
  ['import arrows', 'dependency-cruiser/bin/dependency-cruise.mjs', [...CODE, '--output-type', 'err-long']],
  ['folders', '../scripts/checks/check-folders.mjs', []],
  ['names', '../scripts/checks/check-names.mjs', []],
  ['contract', '../scripts/checks/check-contract.mjs', []],
  ['look', '../scripts/build/build-look.mjs', ['--check']],
  ['unused code', 'knip/bin/knip.js', ['--no-progress']],
  ['migrations', '../scripts/checks/check-migrations.mjs', []],
  ['image', '../scripts/checks/check-image.mjs', []],
]

/**
 * @param {string} file below node_modules
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(file, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`node_modules/${file}`, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => resolve({ code, output }))
  })
}

await start(async () => {
  await ensureInstalled()
  let failed = 0
  for (const [name, file, args] of STEPS) {
    const began = Date.now()
    const { code, output } = await run(file, args)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(Date.now() - began)})`)
    if (code === 0) continue
    failed += 1
    console.log(`\n${output.trim()}\n`)
  }
  console.log(`${STEPS.length - failed} checks passed, ${failed} failed`)
  process.exitCode = failed ? 1 : 0
})
