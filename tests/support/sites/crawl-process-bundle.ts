import { join } from 'node:path'
import { bundleForNode, workerEntries } from '../../../scripts/lib/bundle.mjs'

const outdir = 'node_modules/.cache/crawl-process'

/** Bundles `crawl-process.ts` with the worker threads and child processes, for tests that start it often; resolves to its file. */
export async function bundleCrawlProcess(): Promise<string> {
  await bundleForNode({
    entryPoints: { 'crawl-process': 'tests/support/sites/crawl-process.ts', ...workerEntries() },
    outdir,
    splitting: true,
  })
  return join(outdir, 'crawl-process.js')
}
