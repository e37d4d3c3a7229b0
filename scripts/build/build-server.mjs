// Bundles what runs outside the browser: build/app/index.js (the server), build/app/cli.js (the command line),
// build/app/threads/*.js (worker threads) and build/app/processes/*.js (child processes). Migrations, models and the
// manual are read from the folder of package.json.
import { rmSync } from 'node:fs'
import { bundleForNode, workerEntries } from '../lib/bundle.mjs'
import '../lib/root.mjs'

rmSync('build/app', { recursive: true, force: true })
await bundleForNode({
  entryPoints: {
    index: 'server/index.ts',
    cli: 'cli/index.ts',
    ...workerEntries(),
  },
  outdir: 'build/app',
  // Modules load on demand, so that `doctor` runs even if a native module is broken.
  splitting: true,
})
