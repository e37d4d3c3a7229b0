// `npm test`: all tests but the proofs. Arguments restrict it to these files: npm test -- server/engine

import { runTests } from './lib/testing/run-tests.mjs'

await runTests({ label: 'Running the tests', projects: ['unit', 'postgres', 'e2e'] })
