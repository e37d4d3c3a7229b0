import { StepError, start } from '../child.mjs'
import { ensureInstalled } from '../install.mjs'
import { findChromium } from './chromium.mjs'
import { whyUntraced } from './strace.mjs'

/**
 * Installs what is missing, runs these projects of vitest.config.ts and prints a closing line. Arguments of the command
 * line restrict it to these files.
 * @param {string} label of the progress line
 * @param {string[]} projects
 */
export async function runTests(label, projects) {
  await start(async () => {
    await ensureInstalled()
    // Imported late, because vitest may have been missing until now.
    const { startVitest } = await import('vitest/node')
    const { QuietReporter } = await import('./reporter.mjs')
    const reporter = new QuietReporter(label)
    const vitest = await startVitest('test', process.argv.slice(2), {
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
    if (projects.includes('e2e') && !findChromium()) {
      console.log(
        'Browser tests were skipped: no Chromium or Chrome was found. Install one (Debian: apt-get install chromium) or name it with CHROMIUM_PATH.',
      )
    }
    const untraced = projects.includes('proof') ? whyUntraced() : null
    if (untraced) console.log(`The proof that nothing leaves the machine was skipped: ${untraced}`)
    console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
    process.exit(failed > 0 || passed === 0 ? 1 : 0)
  })
}
