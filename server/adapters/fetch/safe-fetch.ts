import { Readable } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { parseUrl } from '../../../contract/values/url'
import { crawlLimits, type FetchLimits } from '../../engine/limits'
import type { FetchedBody, Fetcher, FetchKind, FetchOutcome, FetchRequest } from '../../engine/ports/fetcher'
import { decodeBody, encodingsOf } from './decode-body'
import { createRoutes, type Lookup, type ProxySettings } from './dispatchers'
import { refusal, refusalOfError } from './fetch-failures'
import { type Hop, headersFor, isConditional, locationOf, plainHeaders } from './request-headers'

export interface OwnPage {
  status: number
  headers: Record<string, string>
  body: Uint8Array | string
}

export interface SafeFetchOptions {
  /** Private hosts, IP addresses and CIDR ranges that may be reached. */
  allowPrivateNetworks: string[] | 'all'
  userAgent: string
  /** The product's own manual: /help of exactly this origin is read in process by `read`. */
  ownManual?: { origin: string; read(path: string): Promise<OwnPage | null> }
  /** An outbound proxy. Names that this machine can resolve are always checked. */
  proxy?: ProxySettings
  /** Resolves a host to all its addresses; by default the system's resolver. */
  lookup?: Lookup
  /** Overrides the limits of `limits.ts`. */
  limits?: Partial<Record<FetchKind, FetchLimits>>
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])
/** Limits of draining an unread body, so that its connection can be reused. */
const maxDrain = { bytes: 64 * 1024, ms: 1_000 }

/**
 * The only way in which the product requests a URL that a person or a page named. Every hop is checked: its name is
 * resolved once, and only the addresses that were checked are connected to, which prevents DNS rebinding. Messages never
 * contain a resolved address. The body of an error status is not read; of a response that is neither a page, a feed nor
 * text, only the first bytes are read. A robots.txt over its limit is truncated (RFC 9309, 2.5).
 */
export function createSafeFetch(options: SafeFetchOptions): Fetcher & { close(): Promise<void> } {
  const routes = createRoutes(options)

  async function send(hop: Hop, signal: AbortSignal): Promise<HopResponse> {
    const own = await readOwnManual(options.ownManual, hop)
    if (own) return own
    const route = await routes.to(hop.url)
    const response = await route.request({
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: 'GET',
      headers: headersFor(hop, options.userAgent),
      signal,
    })
    hop.request.access?.cookies?.keep(hop.url.href, [response.headers['set-cookie'] ?? []].flat())
    return { status: response.statusCode, headers: plainHeaders(response.headers), body: response.body }
  }

  async function follow(request: FetchRequest, limits: FetchLimits, signal: AbortSignal): Promise<FetchOutcome> {
    const started = performance.now()
    const redirectedFrom: string[] = []
    const requested = new Set<string>()
    let url = parseAddress(request.url)
    while (url) {
      if (requested.has(plainAddress(url))) return refusal('too-many-redirects', 'The address redirects in a loop.')
      requested.add(plainAddress(url))
      const received = await send({ url, request, isFirst: redirectedFrom.length === 0 }, signal)
      const { status, headers, body } = received
      const found = { url: url.href, status, headers, redirectedFrom }
      const next = redirectStatuses.has(status) ? locationOf(headers) : undefined
      if (!next && status >= 200 && status < 300) {
        return await readBody(request, { ...found, body }, limits, started)
      }
      await drain(body)
      // A 304 means nothing without a conditional request.
      if (status === 304 && isConditional(request)) {
        return { kind: 'unchanged', url: url.href, status, headers, tookMs: performance.now() - started }
      }
      if (!next) return { kind: 'fetched', ...found, body: new Uint8Array(), tookMs: performance.now() - started }
      redirectedFrom.push(url.href)
      if (redirectedFrom.length > crawlLimits.redirects) return refusal('too-many-redirects')
      url = parseAddress(next, url)
      const mayFollow =
        url === null || !request.mayFollow || (await orAborted(request.mayFollow(url.href, status), signal))
      if (!mayFollow) return refusal('not-allowed')
    }
    return refusal('invalid-address')
  }

  return {
    async fetch(request, signal) {
      signal?.throwIfAborted()
      const limits = options.limits?.[request.kind] ?? crawlLimits.fetch[request.kind]
      const end = new AbortController()
      const stop = () => end.abort()
      const timer = setTimeout(stop, limits.totalMs)
      signal?.addEventListener('abort', stop)
      try {
        const outcome = await follow(request, limits, end.signal)
        // Lets a close of the connection be handled before the next request uses it.
        await yieldToEventLoop()
        return outcome
      } catch (error) {
        signal?.throwIfAborted()
        return end.signal.aborted ? refusal('timeout') : refusalOfError(error)
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
      }
    },
    close: routes.close,
  }
}

interface HopResponse {
  status: number
  headers: Record<string, string>
  body: Readable
}

/** http(s), without credentials, on port 80, 443 or from 1024 up; null otherwise. */
function parseAddress(address: string, base?: URL): URL | null {
  const url = parseUrl(address, base)
  if (url === null) return null
  const port = url.port === '' ? 80 : Number(url.port)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null
  return port === 80 || port === 443 || port >= 1024 ? url : null
}

/** Answers for the manual's pages, and for the robots.txt of their origin, which has no rules for them. */
async function readOwnManual(
  manual: SafeFetchOptions['ownManual'],
  { url, request }: Hop,
): Promise<HopResponse | null> {
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

function plainAddress(url: URL): string {
  const [address = ''] = url.href.split('#')
  return address
}

async function readBody(
  { kind, onChunk }: FetchRequest,
  found: Omit<FetchedBody, 'kind' | 'body' | 'tookMs'> & { body: Readable },
  limits: FetchLimits,
  started: number,
): Promise<FetchOutcome> {
  const { body, headers } = found
  const prefixBytes = kind === 'page' ? prefixBytesOf(headers['content-type'] ?? '') : null
  const mayTruncate = kind === 'robots' || prefixBytes !== null
  const encodings = encodingsOf(headers['content-encoding'] ?? '')
  const isTooLarge = !mayTruncate && Number(headers['content-length'] ?? 0) > limits.wireBytes
  if (!encodings || isTooLarge) {
    await drain(body)
    return refusal(encodings ? 'too-large' : 'bad-encoding')
  }
  const decodedBytes = Math.min(prefixBytes ?? limits.decodedBytes, limits.decodedBytes)
  const read = await decodeBody(body, encodings, { ...limits, decodedBytes }, { mayTruncate, onChunk })
  if (read.kind !== 'decoded') return refusal(read.kind)
  return { kind: 'fetched', ...found, body: read.body, tookMs: performance.now() - started }
}

/**
 * Bytes to read of a response to a page request; null reads all, for pages, feeds and responses without a type. Tables
 * and other texts are documents, and may be much longer.
 */
function prefixBytesOf(contentType: string): number | null {
  if (contentType.trim() === '' || /^\s*(text\/(x?html|xml)\b|application\/([\w.+-]*\+)?xml)/i.test(contentType))
    return null
  return /^\s*text\/(?!csv\b)/i.test(contentType) ? crawlLimits.textBytes : crawlLimits.sniffBytes
}

/** Drains a short body to keep its connection alive, and closes the connection of a longer one. */
async function drain(body: Readable): Promise<void> {
  // Errors of an unread body do not matter.
  body.on('error', () => undefined)
  if (!('dump' in body && typeof body.dump === 'function')) body.destroy()
  else
    await Promise.resolve(body.dump({ limit: maxDrain.bytes, signal: AbortSignal.timeout(maxDrain.ms) })).catch(
      () => undefined,
    )
}

/** Rejects early when `signal` aborts. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
