// `npm run proof`: the long tests, which damage files at random, kill processes or crawl hostile sites. Arguments restrict it
// to these files. The contracts and flows on PostgreSQL and OpenSearch belong to `npm run proof -- scale`.

import { runTests } from './lib/testing/run-tests.mjs'
import { whyNoServers } from './lib/testing/servers.mjs'

const files = process.argv.slice(2)
const proofs = { label: 'Running the proofs', projects: ['proof'] }
const onServers = { label: 'Running the contracts and flows on servers', projects: ['servers'], files: [] }
const isOnServers = (files.length === 0 || files.includes('scale')) && !whyNoServers()
await runTests(proofs, ...(isOnServers ? [onServers] : []))
