import { MinimalReporter } from 'vitest/node'
import { startProgress } from '../progress.mjs'

/** Shows a progress line, and all failures at the end. The caller prints the closing line. */
export class QuietReporter extends MinimalReporter {
  /** Number of tests by outcome; a file that cannot be loaded counts as one failed test. */
  counts = { passed: 0, failed: 0, skipped: 0 }
  /** @type {(ending: string) => void} */
  #end = () => {}
  #label

  /** @param {string} label of the progress line */
  constructor(label) {
    super()
    this.#label = label
  }

  /** Without the banner. @override @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    this.ctx = vitest
  }

  /** @override @param {Parameters<MinimalReporter['onTestRunStart']>[0]} specifications */
  onTestRunStart(specifications) {
    super.onTestRunStart(specifications)
    this.#end = startProgress(this.#label, () => {
      const { passed, failed } = this.counts
      return `${passed} passed${failed ? `, ${failed} failed` : ''}`
    })
  }

  /** @override @param {Parameters<MinimalReporter['onTestCaseResult']>[0]} test */
  onTestCaseResult(test) {
    super.onTestCaseResult(test)
    const { state } = test.result()
    if (state !== 'pending') this.counts[state] += 1
  }

  /** @override @param {Parameters<MinimalReporter['onTestRunEnd']>} end */
  onTestRunEnd(...end) {
    const [modules, unhandled] = end
    for (const module of modules) {
      if (module.errors().length > 0) this.counts.failed += 1
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) this.counts.failed += 1
    }
    this.counts.failed += unhandled.length
    this.#end('done')
    super.onTestRunEnd(...end)
  }

  /** Failures are printed once, at the end. @override */
  printTestModule() {}

  /** @override */
  reportTestSummary() {}
}
