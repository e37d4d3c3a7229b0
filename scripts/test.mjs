// `npm test`: all but the long proofs. Arguments are file names to run only those: npm test -- server/engine

import { runTests } from './lib/run-tests.mjs'

await runTests('Running the tests', ['unit', 'postgres', 'e2e'])
