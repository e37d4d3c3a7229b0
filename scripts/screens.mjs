// `npm run screens [-- pattern]`: walks through the states of the screens as the browser tests do, and writes a picture of
// each whose name matches to .screens/, in both themes and two widths.

import { rmSync } from 'node:fs'
import { runTests } from './lib/testing/run-tests.mjs'

const [pattern = '.'] = process.argv.splice(2)
process.env.SCREENS = pattern
process.argv.push('tests/e2e/screens')
rmSync('.screens', { recursive: true, force: true })
await runTests({ label: 'Taking pictures', projects: ['e2e'] })
