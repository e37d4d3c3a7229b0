/** Runs the jobs of a data folder in a process of its own until it is ended: crawl-process.ts <data folder> [with-model | with-log]. */
import { createTestApp } from '../app'

const [dataDir = '', option] = process.argv.slice(2)
const environment = { DATA_DIR: dataDir, ...(option === 'with-log' ? { LOG_LEVEL: 'warn' } : {}) }
// Without an embedder of the test's own the product loads its model, as a server does.
const { app } = await createTestApp(environment, option === 'with-model' ? { embedder: undefined } : {})
process.stdout.write('works\n')
await app.startEmbedding()
