// `npm test`: all tests but the proofs. Arguments restrict it to these files: npm test -- server/engine

import { runTests } from './lib/testing/run-tests.mjs'

await runTests('Running the tests', ['unit', 'postgres', 'e2e'])
