// `npm run proof`: the long tests, which damage files at random, kill processes or crawl hostile sites.

import { runTests } from './lib/testing/run-tests.mjs'

await runTests('Running the proofs', ['proof'])
