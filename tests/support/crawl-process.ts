/** Runs the jobs of a data folder in a process of its own until it is ended: crawl-process.ts <data folder> [with-model]. */
import { createTestApp } from './app'

const [dataDir = '', model] = process.argv.slice(2)
// Without an embedder of the test's own the product loads its model, as a server does.
const { app } = await createTestApp({ DATA_DIR: dataDir }, model === 'with-model' ? { embedder: undefined } : {})
process.stdout.write('works\n')
await app.startEmbedding()
