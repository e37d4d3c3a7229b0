// Bundles what runs outside the browser: build/app/index.js (the server), build/app/cli.js (the command line),
// build/app/threads/*.js (worker threads) and build/app/processes/*.js (child processes). Migrations, models and the
// manual are read from the folder of package.json.
import { readdirSync, rmSync } from 'node:fs'
import { bundleForNode } from './lib/bundle.mjs'
import './lib/root.mjs'

/** @param {'threads' | 'processes'} folder whose files each run by themselves */
function entriesIn(folder) {
  const names = readdirSync(`workers/${folder}`).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return Object.fromEntries(names.map((name) => [`${folder}/${name.slice(0, -3)}`, `workers/${folder}/${name}`]))
}

rmSync('build/app', { recursive: true, force: true })
await bundleForNode({
  entryPoints: {
    index: 'server/index.ts',
    cli: 'cli/index.ts',
    ...entriesIn('threads'),
    ...entriesIn('processes'),
  },
  outdir: 'build/app',
  // What a command does not need is not loaded, so that `doctor` runs where a native module is broken.
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
})
