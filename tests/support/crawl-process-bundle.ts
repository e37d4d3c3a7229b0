import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForNode } from '../../scripts/lib/bundle.mjs'

const outdir = 'node_modules/.cache/crawl-process'

/** Bundles `crawl-process.ts` with the worker threads and child processes, for tests that start it often; resolves to its file. */
export async function bundleCrawlProcess(): Promise<string> {
  const entries = ['threads', 'processes'].flatMap((folder) =>
    readdirSync(`workers/${folder}`).map((file) => [
      `${folder}/${file.replace(/\.ts$/, '')}`,
      `workers/${folder}/${file}`,
    ]),
  )
  await bundleForNode({
    entryPoints: { 'crawl-process': 'tests/support/crawl-process.ts', ...Object.fromEntries(entries) },
    outdir,
    splitting: true,
  })
  return join(outdir, 'crawl-process.js')
}
