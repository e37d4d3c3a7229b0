/**
 * Reads randomly damaged files and pages, and reports the results. Each must end in text or in a reason. The seed repeats a
 * run, `--only` one file of it.
 *
 *   npm run fuzz [-- --seed 7] [--files 5000] [--kind pdf] [--samples 60] [--only 1234]
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Result, readMutations } from './run'
import { findSamples, kinds } from './samples'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    files: { type: 'string', default: '2000' },
    kind: { type: 'string' },
    samples: { type: 'string', default: '60' },
    only: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))
const count = Number(values.files)
const numbers = values.only === undefined ? Array.from({ length: count }, (_, index) => index) : [Number(values.only)]

const all = await findSamples(seed, Number(values.samples))
const samples = all.filter(({ kind }) => values.kind === undefined || kind === values.kind)
if (samples.length === 0)
  throw new Error(`There are no samples of kind ${values.kind}. Use one of ${kinds.join(', ')}.`)
console.log(`seed ${seed}: ${numbers.length} mutations of ${samples.length} files`)

const results: Result[] = []
await readMutations(samples, { seed, numbers }, (result, bytes) => {
  results.push(result)
  if (result.wrong.length > 0) printWrong(result)
  if (values.only !== undefined) save(result, bytes)
})
printCounts()
printMax(
  'slowest, processor time',
  ({ ms }) => ms,
  (ms) => `${(ms / 1000).toFixed(1)} s`,
)
printMax(
  'largest memory of a process',
  ({ residentBytes }) => residentBytes,
  (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`,
)
const wrong = results.filter((result) => result.wrong.length > 0).length
console.log(
  wrong === 0 ? 'Every file ended in text or in a reason.' : `${wrong} files did not end in text or in a reason.`,
)
process.exitCode = wrong === 0 ? 0 : 1

function printWrong(result: Result): void {
  console.log(`\nWRONG ${described(result)}: ${result.outcome}`)
  for (const what of result.wrong) console.log(`  ${what}`)
  console.log(`  again: npm run fuzz -- ${again(result)}`)
}

/** The arguments that repeat a file; they select the same samples. */
function again({ number }: Result): string {
  const kind = values.kind === undefined ? '' : ` --kind ${values.kind}`
  return `--seed ${seed} --samples ${values.samples}${kind} --only ${number}`
}

function save(result: Result, bytes: Buffer): void {
  const path = join(tmpdir(), `fuzz-${seed}-${result.number}.${result.kind === 'page' ? 'html' : result.kind}`)
  writeFileSync(path, bytes)
  console.log(`${described(result)}: ${result.outcome}, ${result.fragments} fragments, saved as ${path}`)
}

function printCounts(): void {
  for (const kind of kinds) {
    const counts = new Map<string, number>()
    for (const { outcome } of results.filter((result) => result.kind === kind)) {
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    }
    const listed = [...counts].sort(([, a], [, b]) => b - a).map(([outcome, times]) => `${times} ${outcome}`)
    if (listed.length > 0) console.log(`${kind}: ${listed.join(', ')}`)
  }
}

function printMax(title: string, of: (result: Result) => number, shown: (value: number) => string): void {
  const top = [...results].sort((a, b) => of(b) - of(a)).slice(0, 5)
  console.log(`${title}: ${top.map((result) => `${shown(of(result))} (${result.kind} ${result.number})`).join(', ')}`)
}

function described({ number, kind, from, changes, size }: Result): string {
  return `${number}: ${kind} of ${size} bytes from ${from} by ${changes.join(', ')}`
}
