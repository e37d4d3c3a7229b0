// Builds the pages with Remix, then bundles their server half with its packages into one file, because loading hundreds
// of small files took most of the time of a start, and compresses the files for browsers.
import { spawnSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { bundleForNode } from '../lib/bundle.mjs'
import { compressFiles } from '../lib/compress.mjs'
import '../lib/root.mjs'

const { status } = spawnSync(
  process.execPath,
  ['node_modules/@remix-run/dev/dist/cli.js', 'vite:build', '--logLevel', 'warn'],
  { stdio: 'inherit' },
)
if (status !== 0) process.exit(status ?? 1)

await bundleForNode({
  entryPoints: ['build/server/index.js'],
  outfile: 'build/server/bundle.js',
  define: { 'process.env.NODE_ENV': '"production"' },
})
renameSync('build/server/bundle.js', 'build/server/index.js')
await compressFiles('build/client')
