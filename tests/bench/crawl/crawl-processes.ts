import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleForNode, workerEntries } from '../../../scripts/lib/bundle.mjs'
import { type MemoryFigures, watchMemory } from './crawl-memory'
import type { ProductCrawl, ProductOrder } from './crawl-product'
import type { Asked, ServerOrder } from './crawl-server'

export interface Crawl {
  pages: number
  seconds: number
  cpuSeconds: number
  memory: MemoryFigures
  asked: Asked
}

export interface SiteServer {
  url: string
  reset(): void
  counts(): Promise<Asked>
  close(): void
}

export interface Product {
  crawl(): Promise<Crawl & { product: ProductCrawl }>
  close(): Promise<void>
}

export interface ScrapyRun {
  python: string
  concurrency: number
  text: boolean
  /** 0 for all. */
  pages: number
}

/** A child process that does not answer within this time is ended. */
const patienceMs = 1_200_000
const memoryStep = 2_000

/** Bundles the processes of this bench, with threads and child processes, so that no TypeScript loader affects the figures. */
export async function bundleProcesses(outdir: string): Promise<void> {
  await bundleForNode({
    entryPoints: {
      server: 'tests/bench/crawl/crawl-server.ts',
      product: 'tests/bench/crawl/crawl-product.ts',
      ...workerEntries(),
    },
    outdir,
    splitting: true,
  })
}

/** Serves the folder until `close`; every process of this bench is killed when `signal` aborts. */
export async function startServer(bundle: string, folder: string, signal: AbortSignal): Promise<SiteServer> {
  const child = start(join(bundle, 'server.js'), [folder], signal)
  const url = await answerOf<string>(child)
  const order = (what: ServerOrder) => child.send(what)
  // One request at a time, because responses have no id.
  let last: Promise<unknown> = Promise.resolve()
  return {
    url,
    reset: () => order('reset'),
    counts() {
      const counts = last.then(() => {
        const answer = answerOf<Asked>(child)
        order('counts')
        return answer
      })
      last = counts.catch(() => {})
      return counts
    },
    close: () => void child.kill(),
  }
}

/** The product in a process of its own; `close` also ends one that hangs. */
export async function startProduct(
  bundle: string,
  server: SiteServer,
  options: { dataDir: string; pages: number; profile: boolean },
  signal: AbortSignal,
): Promise<Product> {
  const { dataDir, pages, profile } = options
  const parts = [dataDir, server.url, pages ? `${pages}` : '', profile ? 'profile' : '']
  const child = start(join(bundle, 'product.js'), parts, signal)
  const order = (what: ProductOrder) => child.send(what)
  await answerOf(child)
  return {
    async crawl() {
      server.reset()
      const memory = watchMemory(child.pid ?? 0, memoryStep, async () => pagesOf(await server.counts()))
      try {
        order('crawl')
        const product = await answerOf<ProductCrawl>(child)
        const { seconds, cpuSeconds, report } = product
        const figures = { memory: await memory.stop(), asked: await server.counts() }
        return { pages: report.checked - report.failed, seconds, cpuSeconds, ...figures, product }
      } finally {
        await memory.stop().catch(() => undefined)
      }
    },
    async close() {
      if (hasEnded(child)) return
      const exit = once(child, 'exit')
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
      if (child.connected) order('end')
      await exit
      clearTimeout(late)
    },
  }
}

/** Crawls the server's site once with Scrapy, which writes its items to a file in `folder`. */
export async function crawlWithScrapy(
  server: SiteServer,
  folder: string,
  { python, concurrency, text, pages }: ScrapyRun,
  signal: AbortSignal,
): Promise<Crawl & { itemBytes: number }> {
  const items = join(folder, `items-${concurrency}-${text ? 'text' : 'title'}.jsonl`)
  const report = join(folder, 'report.json')
  const options = JSON.stringify({ url: server.url, items, report, concurrency, text, pages })
  const script = fileURLToPath(new URL('crawl-scrapy.py', import.meta.url))
  server.reset()
  const ends = { signal, timeout: patienceMs, killSignal: 'SIGKILL' as const }
  const child = spawn(python, [script, options], { stdio: ['ignore', 'inherit', 'inherit'], ...ends })
  const memory = watchMemory(child.pid ?? 0, memoryStep, async () => pagesOf(await server.counts()))
  try {
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`Scrapy ended with ${code}.`)
    const reported = JSON.parse(await readFile(report, 'utf8')) as Pick<Crawl, 'pages' | 'seconds' | 'cpuSeconds'>
    return {
      ...reported,
      memory: await memory.stop(),
      asked: await server.counts(),
      itemBytes: (await stat(items)).size,
    }
  } finally {
    await memory.stop().catch(() => undefined)
  }
}

function start(file: string, parts: string[], signal: AbortSignal): ChildProcess {
  // Without the loader of this process, which would affect the figures.
  const child = fork(file, parts, { signal, killSignal: 'SIGKILL', execArgv: ['--max-semi-space-size=2'] })
  // Whoever waits for a message is rejected when the process ends.
  child.on('error', () => undefined)
  return child
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Pages visited, whether read or unchanged. */
function pagesOf({ pages, notModified }: Asked): number {
  return pages + notModified
}

/** Resolves to the next message of the child. Rejects if it ends first; ends it if no message comes. */
function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (hasEnded(child)) return reject(new Error('A process of this bench has ended.'))
    const late = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    const onMessage = (message: unknown) => settle(() => resolve(message as Answer))
    const onExit = (code: number | null) =>
      settle(() => reject(new Error(`A process of this bench ended (${code ?? 'killed'}) before it answered.`)))
    child.once('message', onMessage).once('exit', onExit)
    function settle(done: () => void): void {
      clearTimeout(late)
      child.off('message', onMessage).off('exit', onExit)
      done()
    }
  })
}
