// `npm run proof`: what takes long, because it damages files at random, kills processes or meets hostile sites.

import { runTests } from './lib/run-tests.mjs'

await runTests('Running the proofs', ['proof'])
