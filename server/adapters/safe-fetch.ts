import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { reasonText } from '../../contract/reasons'
import { crawlLimits, type FetchLimits } from '../engine/limits'
import type { Fetcher, FetchKind, FetchOutcome, FetchRefusal, FetchRequest } from '../engine/ports'
import { decodeBody, encodingsOf } from './decode-body'
import { createNetworkGuard, isLiteral, type NetworkGuard, plainHost } from './private-networks'

export interface OwnPage {
  status: number
  headers: Record<string, string>
  body: Uint8Array | string
}

export interface SafeFetchOptions {
  /** Hosts, IP addresses and CIDR ranges that may be reached although they are private. */
  allowPrivateNetworks: string[] | 'all'
  userAgent: string
  /** The product's own manual: exactly this origin's /help is read in process, by `read`. */
  ownManual?: { origin: string; read(path: string): Promise<OwnPage | null> }
  /** Address of an outbound proxy. It resolves names itself; names that resolve here are checked all the same. */
  proxy?: string
  /** All addresses of a host. The default asks the system. */
  lookup?: (host: string) => Promise<{ address: string; family: number }[]>
  /** Other limits than those of `limits.ts`. */
  limits?: Partial<Record<FetchKind, FetchLimits>>
}

const accept: Record<FetchKind, string> = {
  page: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
  robots: 'text/plain,*/*;q=0.1',
  sitemap: 'application/xml,text/xml;q=0.9,*/*;q=0.1',
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * The only way in which the product asks for an address that a person or a page named. Every hop is judged anew, names
 * are resolved once and the addresses judged are the ones connected to, so that a resolver that changes its mind gains
 * nothing. A message never holds a resolved address. The body of an error status, and of a page that is no text, is
 * not read and comes empty. A robots.txt over its limit is cut (RFC 9309, 2.5).
 */
export function createSafeFetch(options: SafeFetchOptions): Fetcher & { close(): Promise<void> } {
  const guard = createNetworkGuard(options.allowPrivateNetworks)
  const lookup = options.lookup ?? ((host: string) => systemLookup(host, { all: true }))
  const agentOptions = {
    connect: { timeout: crawlLimits.connectMs, lookup: guardedLookup(guard, lookup) },
    headersTimeout: crawlLimits.headersMs,
    bodyTimeout: crawlLimits.headersMs,
  }
  const direct = new Agent(agentOptions)
  const proxied = options.proxy
    ? new ProxyAgent({ uri: options.proxy, headersTimeout: crawlLimits.headersMs, bodyTimeout: crawlLimits.headersMs })
    : null

  /** The way to a host, or why there is none. */
  async function routeTo(host: string): Promise<Dispatcher | FetchRefusal> {
    if (isLiteral(host)) {
      const verdict = guard.judge(host, host)
      if (verdict === 'refused') return 'private-address'
      return verdict === 'public' ? (proxied ?? direct) : direct
    }
    if (!proxied) return direct
    const verdicts = (await lookup(host).catch(() => [])).map(({ address }) => guard.judge(address, host))
    if (verdicts.includes('refused')) return 'private-address'
    return verdicts.includes('allowed') ? direct : proxied
  }

  async function ask(url: URL, request: FetchRequest, signal: AbortSignal): Promise<Answer | FetchRefusal> {
    const own = await readOwnManual(options.ownManual, url, request)
    if (own) return own
    const route = await routeTo(plainHost(url.hostname))
    if (typeof route === 'string') return route
    const response = await route.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: headersFor(request, options.userAgent),
      signal,
    })
    return { status: response.statusCode, headers: plainHeaders(response.headers), body: response.body }
  }

  async function fetch(request: FetchRequest, signal?: AbortSignal): Promise<FetchOutcome> {
    signal?.throwIfAborted()
    const started = performance.now()
    const limits = options.limits?.[request.kind] ?? crawlLimits.fetch[request.kind]
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), limits.totalMs)
    const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
    const tookMs = () => performance.now() - started
    const redirectedFrom: string[] = []
    try {
      let url = parseAddress(request.url)
      while (url) {
        const answer = await ask(url, request, either)
        if (typeof answer === 'string') return refusal(answer)
        const { status, headers, body } = answer
        if (status === 304) {
          discard(body)
          return { kind: 'unchanged', url: url.href, status, headers, tookMs: tookMs() }
        }
        const location = headers.location
        if (redirectStatuses.has(status) && location) {
          discard(body)
          redirectedFrom.push(url.href)
          if (redirectedFrom.length > crawlLimits.redirects) return refusal('too-many-redirects')
          url = parseAddress(location, url)
          continue
        }
        if (!isWanted(request.kind, status, headers)) {
          discard(body)
          return {
            kind: 'fetched',
            url: url.href,
            status,
            headers,
            body: new Uint8Array(),
            redirectedFrom,
            tookMs: tookMs(),
          }
        }
        const encodings = encodingsOf(headers['content-encoding'] ?? '')
        if (!encodings) {
          discard(body)
          return refusal('bad-encoding')
        }
        const read = await decodeBody(body, encodings, limits, request.kind === 'robots')
        if (read.kind !== 'decoded') return refusal(read.kind)
        return { kind: 'fetched', url: url.href, status, headers, body: read.body, redirectedFrom, tookMs: tookMs() }
      }
      return refusal('invalid-address')
    } catch (error) {
      signal?.throwIfAborted()
      return deadline.signal.aborted ? refusal('timeout') : failure(error)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    fetch,
    async close() {
      await Promise.all([direct.destroy(), proxied?.destroy()])
    },
  }
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Readable
}

class PrivateAddress extends Error {
  readonly code = 'PRIVATE_ADDRESS'
}

/**
 * Runs where a socket is about to connect: what it hands over is what is connected to. One answer that is refused
 * refuses the name.
 */
function guardedLookup(guard: NetworkGuard, lookup: NonNullable<SafeFetchOptions['lookup']>): LookupFunction {
  return (host, options, callback) => {
    lookup(host).then(
      (addresses) => {
        const [first] = addresses
        if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 4)
        if (addresses.some(({ address }) => guard.judge(address, host) === 'refused')) {
          return callback(new PrivateAddress(), '', 4)
        }
        if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }
}

/** http(s), without credentials, on port 80, 443 or from 1024 up; null otherwise. */
function parseAddress(address: string, base?: URL): URL | null {
  if (!URL.canParse(address, base)) return null
  const url = new URL(address, base)
  const port = url.port === '' ? 80 : Number(url.port)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null
  return port === 80 || port === 443 || port >= 1024 ? url : null
}

/** The manual's pages, and the robots.txt of their origin, which says nothing about them. */
async function readOwnManual(
  manual: SafeFetchOptions['ownManual'],
  url: URL,
  request: FetchRequest,
): Promise<Answer | null> {
  if (!manual || url.origin !== manual.origin) return null
  const isPage = url.pathname === '/help' || url.pathname.startsWith('/help/')
  const isRobots = request.kind === 'robots' && url.pathname === '/robots.txt'
  if (!isPage && !isRobots) return null
  const page = isPage ? await manual.read(url.pathname) : null
  if (!page) return { status: 404, headers: {}, body: Readable.from([]) }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(page.headers)) headers[name.toLowerCase()] = value
  const unchanged = request.etag !== undefined && request.etag === headers.etag
  return { status: unchanged ? 304 : page.status, headers, body: Readable.from([Buffer.from(page.body)]) }
}

function headersFor(request: FetchRequest, userAgent: string): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept: accept[request.kind],
    'accept-encoding': 'gzip, deflate, br',
    ...(request.etag ? { 'if-none-match': request.etag } : {}),
    ...(request.lastModified ? { 'if-modified-since': request.lastModified } : {}),
  }
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}

/** Saves a connection for the next request when little is left to read, and ends it otherwise. */
function discard(body: Readable): void {
  // Errors of a body that nobody reads are nobody's.
  body.on('error', () => undefined)
  if ('dump' in body && typeof body.dump === 'function') {
    Promise.resolve(body.dump({ limit: 64 * 1024 })).catch(() => undefined)
  } else body.destroy()
}

function isWanted(kind: FetchKind, status: number, headers: Record<string, string>): boolean {
  if (status < 200 || status > 299) return false
  const type = headers['content-type'] ?? ''
  return kind !== 'page' || type === '' || /^\s*(text\/|application\/([\w.+-]*\+)?xml)/i.test(type)
}

function failure(error: unknown): FetchOutcome {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'PRIVATE_ADDRESS') return refusal('private-address')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return refusal('unresolved')
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return refusal('timeout')
  if (/^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
    return { kind: 'refused', reason: 'connection-failed', message: 'The certificate of the server is not valid.' }
  }
  return refusal('connection-failed')
}

function refusal(reason: FetchRefusal): FetchOutcome {
  return { kind: 'refused', reason, message: reasonText(reason) }
}
