/**
 * Runs the product against all hostile servers at once: npm run hostile [-- --seed 7] [--only 'robots']
 * Bundled as the product is, since otherwise each thread would load a TypeScript compiler, whose memory would count.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForNode } from '../../scripts/lib/bundle.mjs'

const outdir = 'node_modules/.cache/hostile'

const entries = ['threads', 'processes'].flatMap((folder) =>
  readdirSync(`workers/${folder}`).map((file) => [
    `${folder}/${file.replace(/\.ts$/, '')}`,
    `workers/${folder}/${file}`,
  ]),
)
await bundleForNode({
  entryPoints: {
    measure: 'tests/hostile/measure.ts',
    serve: 'tests/hostile/serve.ts',
    ...Object.fromEntries(entries),
  },
  outdir,
  splitting: true,
})
const measured = spawn(process.execPath, [join(outdir, 'measure.js'), ...process.argv.slice(2)], { stdio: 'inherit' })
const [code] = await once(measured, 'exit')
process.exitCode = code ?? 1
