// Bundles what runs outside the browser: build/app/index.js (the server), build/app/cli.js (the command line) and
// build/app/threads/*.js (worker threads). Migrations, models and the manual are read from the folder of package.json.
import { readdirSync, rmSync } from 'node:fs'
import { bundleForNode } from './lib/bundle.mjs'
import './lib/root.mjs'

const threads = readdirSync('workers/threads').filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))

rmSync('build/app', { recursive: true, force: true })
await bundleForNode({
  entryPoints: {
    index: 'server/index.ts',
    cli: 'cli/index.ts',
    ...Object.fromEntries(threads.map((name) => [`threads/${name.slice(0, -3)}`, `workers/threads/${name}`])),
  },
  outdir: 'build/app',
  // What a command does not need is not loaded, so that `doctor` runs where a native module is broken.
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
})
