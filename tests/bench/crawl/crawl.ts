/**
 * Compares the crawl of a folder of HTML files, without embedding and delays, to Scrapy on the same server:
 * npx tsx tests/bench/crawl/crawl.ts --site /usr/share/doc/python3.11/html [--scrapy <python that has scrapy>] [--pages N]
 *   [--profile <file>] [--json]
 * Prints pages/s, memory, the delay of the event loop and the requests to the server. With --profile also a profile, which
 * slows the crawl down.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleProcesses, type Crawl, crawlWithScrapy, startProduct, startServer } from './crawl-processes'
import { type BenchFigures, nameOf, profileText, tableOf } from './crawl-table'

const { values } = parseArgs({
  options: {
    site: { type: 'string' },
    scrapy: { type: 'string' },
    pages: { type: 'string', default: '0' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
    'scrapy-only': { type: 'boolean', default: false },
  },
})
if (!values.site) throw new Error('Name a folder of HTML files: npx tsx tests/bench/crawl/crawl.ts --site <folder>')
const pages = Number(values.pages)
// Inside the checkout, where the bundle finds its packages and migrations.
await mkdir('.cache', { recursive: true })
const bundle = await mkdtemp(resolve('.cache/bench-crawl-'))
const folder = await mkdtemp(join(tmpdir(), 'sitelore-bench-'))
const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
try {
  await bundleProcesses(bundle)
  await bench(values.site)
} finally {
  await rm(folder, { recursive: true, force: true })
  await rm(bundle, { recursive: true, force: true })
}

async function bench(site: string): Promise<void> {
  const server = await startServer(bundle, resolve(site), stopping.signal)
  const figures: BenchFigures = { site, load: loadavg()[0] ?? 0, product: null, scrapy: [] }
  try {
    if (!values['scrapy-only']) figures.product = await crawlWithProduct(server)
    // One connection, as the product uses, and eight, Scrapy's default.
    for (const concurrency of values.scrapy ? [1, 8] : []) {
      for (const text of [true, false]) {
        const run = { python: values.scrapy ?? '', concurrency, text, pages }
        const crawl = await crawlWithScrapy(server, folder, run, stopping.signal)
        figures.scrapy.push({ ...run, ...crawl })
        report(nameOf(run), crawl)
      }
    }
  } finally {
    server.close()
  }
  if (values.profile && figures.product) await writeFile(values.profile, profileText(figures.product.first.product))
  process.stdout.write(values.json ? `${JSON.stringify(figures, null, 2)}\n` : tableOf(figures))
}

async function crawlWithProduct(server: Awaited<ReturnType<typeof startServer>>): Promise<BenchFigures['product']> {
  const options = { dataDir: join(folder, 'data'), pages, profile: values.profile !== undefined }
  const product = await startProduct(bundle, server, options, stopping.signal)
  try {
    const first = await product.crawl()
    report('first crawl', first)
    const second = await product.crawl()
    report('second crawl', second)
    return { first, second }
  } finally {
    await product.close()
  }
}

/** Reports each crawl at once on stderr, because it may take minutes. */
function report(what: string, { pages, seconds }: Crawl): void {
  process.stderr.write(`${what}: ${pages} pages in ${seconds.toFixed(1)} s, load ${(loadavg()[0] ?? 0).toFixed(2)}\n`)
}
