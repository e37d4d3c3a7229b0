// Bundles what runs outside the browser: build/app/index.js (the server), build/app/cli.js (the command line) and
// build/app/threads/*.js (worker threads). Packages stay in node_modules, migrations in db/migrations.
import { readdirSync, rmSync } from 'node:fs'
import { build } from 'esbuild'
import './lib/root.mjs'

const threads = readdirSync('workers/threads').filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))

rmSync('build/app', { recursive: true, force: true })
await build({
  entryPoints: {
    index: 'server/index.ts',
    cli: 'cli/index.ts',
    ...Object.fromEntries(threads.map((name) => [`threads/${name.slice(0, -3)}`, `workers/threads/${name}`])),
  },
  outdir: 'build/app',
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
})
