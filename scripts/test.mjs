// `npm test`: installs what is missing, builds for the browser tests, runs everything, ends with one closing line.
// Arguments are file names to run only those: npm test -- server/engine

import { StepError, start } from './lib/child.mjs'
import { findChromium } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'

await start(async () => {
  await ensureInstalled()
  const chromium = findChromium()
  // Imported only now: before the installation there is no vitest.
  const { startVitest } = await import('vitest/node')
  const { QuietReporter } = await import('./lib/reporter.mjs')
  const reporter = new QuietReporter()
  const vitest = await startVitest('test', process.argv.slice(2), {
    run: true,
    watch: false,
    reporters: [reporter],
    silent: 'passed-only',
  }).catch((error) => {
    throw new StepError(`The tests could not be started: ${error.message}`)
  })
  await vitest.close()

  const { passed, failed, skipped } = reporter.counts
  if (!chromium) {
    console.log(
      'Browser tests were skipped: no Chromium or Chrome was found. Install one (Debian: apt-get install chromium) or name it with CHROMIUM_PATH.',
    )
  }
  console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
  process.exit(failed > 0 || passed === 0 ? 1 : 0)
})
