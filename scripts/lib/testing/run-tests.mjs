import { StepError, start } from '../child.mjs'
import { ensureInstalled } from '../install.mjs'
import { findChromium } from './chromium.mjs'
import { whyNoServers } from './servers.mjs'
import { whyUntraced } from './strace.mjs'

/**
 * @typedef {object} TestRun
 * @property {string} label of the progress line
 * @property {string[]} projects of vitest.config.ts
 * @property {string[]} [files] run only these; those of the command line by default
 */

/**
 * Installs what is missing, makes the runs one after the other, and prints a closing line.
 * @param {TestRun[]} runs
 */
export async function runTests(...runs) {
  await start(async () => {
    await ensureInstalled()
    const total = { passed: 0, failed: 0, skipped: 0 }
    for (const run of runs) {
      const { passed, failed, skipped } = await countTests(run)
      total.passed += passed
      total.failed += failed
      total.skipped += skipped
    }
    const projects = runs.flatMap((run) => run.projects)
    if (projects.includes('e2e') && !findChromium()) {
      console.log(
        'Browser tests were skipped: no Chromium or Chrome was found. Install one (Debian: apt-get install chromium) or name it with CHROMIUM_PATH.',
      )
    }
    const untraced = projects.includes('proof') ? whyUntraced() : null
    if (untraced) console.log(`The proof that nothing leaves the machine was skipped: ${untraced}`)
    const noServers = projects.includes('proof') ? whyNoServers() : null
    if (noServers) console.log(`The proofs of several machines were skipped: ${noServers}`)
    const { passed, failed, skipped } = total
    console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
    process.exit(failed > 0 ? 1 : 0)
  })
}

/** @param {TestRun} run */
async function countTests({ label, projects, files = process.argv.slice(2) }) {
  // Imported late, because vitest may have been missing until now.
  const { startVitest } = await import('vitest/node')
  const { QuietReporter } = await import('./reporter.mjs')
  const reporter = new QuietReporter(label)
  const vitest = await startVitest('test', files, {
    run: true,
    watch: false,
    project: projects,
    reporters: [reporter],
    silent: 'passed-only',
  }).catch((error) => {
    throw new StepError(`The tests could not be started: ${error.message}`)
  })
  await vitest.close()
  const { passed, failed, skipped } = reporter.counts
  // A run in which nothing passed tested nothing.
  return { passed, failed: passed === 0 && failed === 0 ? 1 : failed, skipped }
}
