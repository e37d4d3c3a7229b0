import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SourceInput } from '../../contract/sources/source'
import { createTestApp } from '../support/app'
import { createCollection } from '../support/sites/crawl'
import { pageOf } from './behaviour'

interface Seen {
  path: string
  agent: string
  /** Milliseconds. */
  from: number
  to: number
}

interface WatchedSite {
  origin: string
  seen: Seen[]
  /** Peak number of concurrent requests. */
  peakConcurrency(): number
  close(): Promise<unknown>
}

type Respond = (path: string, response: ServerResponse) => void

/** The crawler's user agent: name, version and contact address. */
const agent = /^Sitelore\/\d+\.\d+ \(\+https?:\/\/\S+\)$/
/** Milliseconds of timer and clock inaccuracy. */
const slack = 3

/**
 * Crawls `pages` addresses of one host, and three small sites that ask for more time, and measures at the servers.
 * `wrong` lists what was not polite.
 */
export async function crawlPolitely(pages: number): Promise<{ lines: string[]; wrong: string[] }> {
  const lines: string[] = []
  const wrong: string[] = []
  const large = await watch(largeSite(pages))
  const paced = await watch(smallSite(30))
  const delayed = await watch(smallSite(10, 'Crawl-delay: 0.25'))
  const busy = await watch(busySite())
  const test = await createTestApp({ CRAWL_DELAY_MS: '0' })
  const collection = await createCollection({}, 'Polite', test)
  const started = performance.now()
  const add = ({ origin }: WatchedSite, options: Partial<SourceInput> = {}) =>
    collection.add({ type: 'domain', url: origin, ...options }, false)
  const ids = [await add(large), await add(paced, { crawl_delay_ms: 50 }), await add(delayed), await add(busy)]
  await test.runner.idle()
  const seconds = (performance.now() - started) / 1000
  for (const id of ids) {
    const { status, reason } = await collection.source(id)
    if (status !== 'idle') wrong.push(`a source ended as ${status} ${reason}`)
  }

  const read = new Set(large.seen.map(({ path }) => path).filter((path) => /^\/(\d+)?$/.test(path)))
  lines.push(`politeness: ${large.seen.length} requests for ${read.size} addresses in ${seconds.toFixed(1)} s`)
  if (read.size !== pages) wrong.push(`${read.size} addresses were read, not ${pages}`)
  for (const site of [large, paced, delayed, busy]) wrong.push(...impolite(site))
  for (const [name, site, minGap] of [
    ['a pace of 50 ms', paced, 50],
    ['a Crawl-delay of 250 ms', delayed, 250],
  ] as const) {
    const gap = leastGap(site.seen.slice(1))
    lines.push(`politeness: with ${name}, ${gap.toFixed(1)} ms or more between ${site.seen.length} requests`)
    if (gap < minGap - slack) wrong.push(`with ${name}, two requests were ${gap.toFixed(1)} ms apart`)
  }
  for (const path of ['/429', '/503']) wrong.push(...tooEager(busy.seen, path))
  await test.close()
  await Promise.all([large, paced, delayed, busy].map((site) => site.close()))
  return { lines, wrong }
}

/** A tree of pages. Every tenth page has a link, a redirect and a canonical link to a disallowed path. */
function largeSite(pages: number): Respond {
  return (path, response) => {
    if (path === '/robots.txt') return end(response, 'User-agent: *\nDisallow: /closed\n', 'text/plain')
    const number = path === '/' ? 0 : Number(path.slice(1))
    if (path.startsWith('/to/')) return response.writeHead(302, { location: `/closed${path}` }).end()
    if (!Number.isInteger(number) || number >= pages) return response.writeHead(404).end()
    const children = Array.from({ length: 10 }, (_, child) => number * 10 + child + 1).filter((child) => child < pages)
    const links = [...children.map((child) => `/${child}`), '/']
    const isTempting = number % 10 === 1
    if (isTempting) links.push(`/closed/${number}`, `/to/${number}`)
    const canonical = isTempting ? `<link rel="canonical" href="/closed/canonical/${number}">` : ''
    return end(
      response,
      canonical + pageOf(`Page ${number}`, `The lamp number ${number} stands in a room of its own.`, links),
    )
  }
}

function smallSite(pages: number, rule = ''): Respond {
  return (path, response) => {
    if (path === '/robots.txt') return end(response, `User-agent: *\n${rule}\nDisallow: /closed\n`, 'text/plain')
    const number = path === '/' ? 0 : Number(path.slice(1))
    if (!Number.isInteger(number) || number >= pages) return response.writeHead(404).end()
    return end(response, pageOf(`Page ${number}`, `Words of page ${number}.`, [`/${number + 1}`, `/${number + 2}`]))
  }
}

/** Two pages ask for a delay of one second on the first request. */
function busySite(): Respond {
  const asked = new Set<string>()
  return (path, response) => {
    if (path === '/robots.txt') return end(response, 'User-agent: *\nDisallow: /closed\n', 'text/plain')
    if ((path === '/429' || path === '/503') && !asked.has(path)) {
      asked.add(path)
      return response.writeHead(Number(path.slice(1)), { 'retry-after': '1' }).end()
    }
    if (path !== '/' && !/^\/\d+$/.test(path)) return response.writeHead(404).end()
    return end(
      response,
      pageOf(`Page ${path}`, `Words of the page at ${path}.`, ['/429', '/1', '/2', '/503', '/3', '/4']),
    )
  }
}

function end(response: ServerResponse, body: string, type = 'text/html'): void {
  response.writeHead(200, { 'content-type': type }).end(body)
}

async function watch(respond: Respond): Promise<WatchedSite> {
  const seen: Seen[] = []
  let open = 0
  let peak = 0
  const server = createServer((request, response) => {
    const first = {
      path: request.url ?? '',
      agent: request.headers['user-agent'] ?? '',
      from: performance.now(),
      to: 0,
    }
    seen.push(first)
    peak = Math.max(peak, ++open)
    // Before the last byte is sent. After 'finish' and 'close' the client may already have sent its next request.
    response.on('prefinish', () => {
      first.to = performance.now()
      open--
    })
    respond(first.path, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    peakConcurrency: () => peak,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function impolite({ seen, peakConcurrency }: WatchedSite): string[] {
  const wrong: string[] = []
  if (seen[0]?.path !== '/robots.txt') wrong.push(`${seen[0]?.path} was requested before robots.txt`)
  if (peakConcurrency() !== 1) wrong.push(`${peakConcurrency()} concurrent requests to a host`)
  const closed = seen.find(({ path }) => path.startsWith('/closed'))
  if (closed) wrong.push(`${closed.path} was requested although robots.txt disallows it`)
  const nameless = seen.find((item) => !agent.test(item.agent))
  if (nameless) wrong.push(`a request came from '${nameless.agent}'`)
  return wrong
}

/** Minimum time between the end of a response and the next request. */
function leastGap(seen: Seen[]): number {
  return Math.min(...seen.slice(1).map(({ from }, index) => from - (seen[index]?.to ?? 0)))
}

/**
 * After a response that asks for a delay of one second, the host gets no request within it, and the page is read later.
 */
function tooEager(seen: Seen[], path: string): string[] {
  const index = seen.findIndex((item) => item.path === path)
  const [asked, next] = [seen[index], seen[index + 1]]
  if (!asked || !next) return [`${path} was not requested again`]
  const wrong: string[] = []
  if (next.from - asked.from < 1000 - slack) wrong.push(`${next.path} came ${next.from - asked.from} ms after ${path}`)
  if (!seen.slice(index + 1).some((item) => item.path === path)) wrong.push(`${path} was given up`)
  return wrong
}
