import type { Crawl, ScrapyRun } from './crawl-processes'
import type { ProductCrawl } from './crawl-product'

export interface BenchFigures {
  site: string
  /** Load of the machine when the bench started. */
  load: number
  product: { first: Crawl & { product: ProductCrawl }; second: Crawl & { product: ProductCrawl } } | null
  scrapy: (ScrapyRun & Crawl & { itemBytes: number })[]
}

const header = [
  '',
  'pages',
  'seconds',
  'pages/s',
  'ratio',
  'CPU s',
  'CPU ms/page',
  'ratio',
  'server CPU s',
  'peak MiB',
  'requests',
  'at once',
]

/** Formats the results: a table of all crawls, then the figures of the product only. */
export function tableOf({ site, load, product, scrapy }: BenchFigures): string {
  const first = product?.first
  const rows = [
    ...(product ? [rowOf('first crawl', product.first), rowOf('second crawl', product.second, product.first)] : []),
    ...scrapy.map((run) => rowOf(nameOf(run), run, undefined, first)),
  ]
  const lines = [`${site}, load ${load.toFixed(2)} at the start`, '', ...aligned([header, ...rows])]
  if (product)
    lines.push(
      '',
      'ratios: how many times better than the first the second crawl is, and the first than each of Scrapy',
    )
  if (product) {
    lines.push('', ...reportOf('first', product.first), ...reportOf('second', product.second))
    const again = product.second.asked.examples
    if (again.length > 0) lines.push(`  read again, for example: ${again.join(' ')}`)
    lines.push('', ...goalsOf(product, scrapy[0]))
  }
  if (scrapy.length > 0) lines.push('')
  for (const run of scrapy) lines.push(`${nameOf(run)}: ${memoryOf(run)}; ${mib(run.itemBytes)} MiB of items`)
  return `${lines.join('\n')}\n`
}

/** The functions with the most self time, by thread. */
export function profileText({ profiles }: ProductCrawl): string {
  const lines = profiles.flatMap(({ thread, busySeconds, top }) => [
    `${thread}: ${busySeconds.toFixed(1)} s at work`,
    ...top.map(
      ({ name, seconds, share }) =>
        `${seconds.toFixed(2).padStart(8)} s ${(share * 100).toFixed(1).padStart(5)} %  ${name}`,
    ),
    '',
  ])
  return lines.join('\n')
}

/** The name of its row. */
export function nameOf({ concurrency, text }: ScrapyRun): string {
  return `Scrapy, ${concurrency} at once, ${text ? 'with text' : 'title only'}`
}

function rowOf(name: string, crawl: Crawl, slower?: Crawl, ours?: Crawl): string[] {
  const { pages, seconds, cpuSeconds, memory, asked } = crawl
  const cost = (of: Crawl) => (of.cpuSeconds / of.pages) * 1000
  const ratio = slower ? rateOf(crawl) / rateOf(slower) : ours ? rateOf(ours) / rateOf(crawl) : null
  const costRatio = slower ? cost(slower) / cost(crawl) : ours ? cost(crawl) / cost(ours) : null
  return [
    name,
    `${pages}`,
    seconds.toFixed(1),
    rateOf(crawl).toFixed(1),
    ratio?.toFixed(2) ?? '',
    cpuSeconds.toFixed(1),
    cost(crawl).toFixed(1),
    costRatio?.toFixed(2) ?? '',
    asked.cpuSeconds.toFixed(1),
    memory.peakMib.toFixed(0),
    `${asked.requests}`,
    `${asked.atOnce}`,
  ]
}

function rateOf({ pages, seconds }: Crawl): number {
  return pages / seconds
}

function aligned(rows: string[][]): string[] {
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}

function reportOf(name: string, crawl: Crawl & { product: ProductCrawl }): string[] {
  const { report, extracted, loop } = crawl.product
  const { checked, fetched, unchanged, changed, failed, fragments } = report
  const { requests, conditional, notModified, notFound, addresses, bytes } = crawl.asked
  return [
    `${name}: ${checked} checked, ${fetched} fetched, ${unchanged} unchanged, ${changed} changed, ${failed} failed, ${report.new} new; ${extracted} extracted, ${fragments} new fragments, ${report.embedded ?? 0} embedded`,
    `  server: ${requests} requests for ${addresses} addresses, ${conditional} conditional, ${notModified} times 304, ${notFound} times 404, ${mib(bytes)} MiB`,
    `  event loop: p50 ${loop.p50Ms.toFixed(1)} ms, p99 ${loop.p99Ms.toFixed(1)} ms, longest ${loop.maxMs.toFixed(0)} ms, busy ${(loop.busy * 100).toFixed(0)} %`,
    `  ${memoryOf(crawl)}, ${crawl.memory.startMib.toFixed(0)} at the start`,
    ...[...report.rejected, ...report.withdrawals, ...report.skipped].map(
      ({ reason, count, message }) => `  not in: ${count} ${reason}, ${message}`,
    ),
  ]
}

function memoryOf({ memory }: Crawl): string {
  const marks = memory.marks.map(({ pages, mib: resident }) => `${pages}: ${resident.toFixed(0)}`).join(', ')
  return `resident MiB ${marks && `by pages ${marks}, `}peak ${memory.peakMib.toFixed(0)}`
}

/** The figures that have goals, and whether each is met. */
function goalsOf({ first, second }: NonNullable<BenchFigures['product']>, scrapy?: Crawl): string[] {
  const marks = first.memory.marks.map((mark) => mark.mib)
  const goal = (what: string, value: string, met: boolean) => `${met ? 'met   ' : 'MISSED'}  ${what}: ${value}`
  const toScrapy = scrapy ? rateOf(first) / rateOf(scrapy) : null
  const toFirst = rateOf(second) / rateOf(first)
  const { requests, addresses, pages: whole } = second.asked
  const worst = Math.max(first.product.loop.p99Ms, second.product.loop.p99Ms)
  const peak = Math.max(first.memory.peakMib, second.memory.peakMib)
  return [
    ...(toScrapy === null ? [] : [goal('pages/s to Scrapy, at least 1.0', toScrapy.toFixed(2), toScrapy >= 1)]),
    goal('second crawl to the first, at least 4', toFirst.toFixed(2), toFirst >= 4),
    goal(
      'second crawl: each address asked once, no page sent whole, none extracted',
      `${requests - addresses} asked again, ${whole} sent whole, ${second.product.extracted} extracted`,
      requests === addresses && whole === 0 && second.product.extracted === 0,
    ),
    goal('peak memory under 300 MiB', `${peak.toFixed(0)} MiB`, peak < 300),
    ...(marks.length > 1
      ? [
          goal(
            'memory flat, last mark at most 1.15 of the first',
            ((marks.at(-1) ?? 0) / (marks[0] ?? 1)).toFixed(2),
            (marks.at(-1) ?? 0) <= 1.15 * (marks[0] ?? 0),
          ),
        ]
      : []),
    goal('event loop p99 under 50 ms', `${worst.toFixed(1)} ms`, worst < 50),
  ]
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0)
}
