import { createHash } from 'node:crypto'
import { linkExclusion, normalizeAddress } from '../../../server/engine/crawl/urls/urls'
import type { ExtractedPage, Extractor, PageFacts } from '../../../server/engine/ports/extractor'
import type { Fetcher, FetchOutcome, FetchRefusal, FetchRequest } from '../../../server/engine/ports/fetcher'
import { createCrawlDeps } from './crawl-deps'

/** What an address answers. */
export interface MemoryPage {
  status?: number
  headers?: Record<string, string>
  /** As sent. Without it, the fake extractor's own form of what follows. */
  body?: string | Uint8Array
  text?: string
  facts?: Partial<PageFacts>
  links?: string[]
  feeds?: string[]
  /** Passages that the text is cut into. */
  passages?: number
  extraction?: 'timeout' | 'failed'
  /** Redirects there. */
  to?: string
  refusal?: FetchRefusal
  takesMs?: number
}

export type MemoryAnswer = string | MemoryPage | ((request: FetchRequest) => string | MemoryPage)

export interface MemoryRequest extends FetchRequest {
  /** Milliseconds since the web was made. */
  at: number
}

/** A web without sockets: addresses and what they answer, a string being the text of a page. All else is 404. */
export function createMemoryWeb(pages: Record<string, MemoryAnswer>, { crawlDelayMs = 0 } = {}) {
  const answers = new Map(Object.entries(pages))
  const requests: MemoryRequest[] = []
  const underWay = new Map<string, number>()
  const began = performance.now()
  let peakConcurrency = 0

  async function ask(request: FetchRequest, url: string): Promise<MemoryPage> {
    requests.push({ ...request, url, at: Math.round(performance.now() - began) })
    const answer = answers.get(url) ?? { status: 404 }
    const input = typeof answer === 'function' ? answer(request) : answer
    const page = typeof input === 'string' ? { text: input } : input
    const { host } = new URL(url)
    const atOnce = (underWay.get(host) ?? 0) + 1
    underWay.set(host, atOnce)
    peakConcurrency = Math.max(peakConcurrency, atOnce)
    if (page.takesMs) await new Promise((resolve) => setTimeout(resolve, page.takesMs))
    underWay.set(host, atOnce - 1)
    return page
  }

  const fetcher: Fetcher = {
    async fetch(request, signal): Promise<FetchOutcome> {
      signal?.throwIfAborted()
      const redirectedFrom: string[] = []
      for (let url = request.url; ; ) {
        const page = await ask(request, url)
        signal?.throwIfAborted()
        if (page.refusal) return { kind: 'refused', reason: page.refusal, message: page.refusal }
        if (page.to !== undefined) {
          redirectedFrom.push(url)
          url = new URL(page.to, url).href
          if (redirectedFrom.length > 5) return { kind: 'refused', reason: 'too-many-redirects', message: 'too many' }
          if (request.mayFollow && !(await request.mayFollow(url, page.status ?? 302))) {
            return { kind: 'refused', reason: 'not-allowed', message: 'not allowed' }
          }
          continue
        }
        const body = bytesOf(page)
        const headers = { 'content-type': typeOf(page, request), ...page.headers }
        const same = request.etag !== undefined && request.etag === page.headers?.etag
        if (same) return { kind: 'unchanged', url, status: 304, headers, tookMs: 1 }
        const { status = 200 } = page
        const isTaken = request.onChunk !== undefined && status < 300
        if (isTaken) await request.onChunk?.(body)
        const rest = isTaken ? new Uint8Array() : body
        return { kind: 'fetched', url, status, headers, body: rest, redirectedFrom, tookMs: 1 }
      }
    },
  }

  const extractor: Extractor = {
    async extract({ url, body, headerLanguage = '', linkSite }) {
      const text = new TextDecoder().decode(body)
      const page: MemoryPage = text.startsWith('{') ? JSON.parse(text) : { text }
      const facts = { ...page.facts, language: page.facts?.language || headerLanguage }
      return page.extraction ?? extracted({ ...page, facts }, url, linkSite)
    },
    rechunk: async () => 'failed',
    close: async () => undefined,
  }

  return {
    deps: createCrawlDeps(fetcher, extractor, { delayMs: crawlDelayMs }),
    requests,
    set: (url: string, answer: MemoryAnswer) => void answers.set(url, answer),
    /** Addresses asked for, in order, without robots.txt. */
    asked: () => requests.map(({ url }) => url).filter((url) => !url.endsWith('/robots.txt')),
    /** Requests to one host at the same time. */
    peakConcurrency: () => peakConcurrency,
  }
}

function bytesOf({ body, status = 200, text, facts, links, feeds, passages, extraction }: MemoryPage): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  if (body) return body
  const isPage = status < 300 && [text, facts, links, extraction].some((part) => part !== undefined)
  return Buffer.from(isPage ? JSON.stringify({ text, facts, links, feeds, passages, extraction }) : '')
}

function typeOf({ body }: MemoryPage, { kind }: FetchRequest): string {
  if (kind === 'robots') return 'text/plain'
  const isXml = typeof body === 'string' && /^\s*<(\?xml|urlset|sitemapindex|rss|feed)/.test(body)
  return isXml ? 'application/xml' : 'text/html; charset=utf-8'
}

function extracted(page: MemoryPage, url: string, linkSite: string | null): ExtractedPage {
  const { text = '', facts = {}, links = [], passages = 1 } = page
  const fragments = Array.from({ length: text === '' ? 0 : passages }, (_, ordinal) => ({
    ...{ ordinal, text, title: '', headings: [], innerHeadings: [], anchor: null },
    ...{ hash: `${ordinal}`, tokens: 5, language: '' },
  }))
  const document: PageFacts = {
    ...{ title: '', description: '', language: '', canonical: null, noindex: false, nofollow: false },
    ...{
      unavailableAfter: null,
      interstitial: null,
      forward: null,
      author: '',
      siteName: '',
      icon: null,
      textFrom: 'page' as const,
      isLinkList: false,
      publishedAt: null,
      modifiedAt: null,
    },
    ...facts,
  }
  const textHash = createHash('sha256').update(text).digest('hex')
  const found: Pick<ExtractedPage, 'links' | 'excludedLinks'> = { links: [], excludedLinks: [] }
  for (const link of linkSite === null || document.nofollow ? [] : links) {
    const address = normalizeAddress(link, url)
    const reason = address === null ? null : linkExclusion(address, linkSite ?? url)
    if (address !== null && reason) found.excludedLinks.push({ url: address, reason })
    else if (address !== null && address !== url && !found.links.includes(address)) found.links.push(address)
  }
  const pageBlocks = { blocks: new Uint8Array(), hashes: new Uint8Array() }
  return { document, fragments, textHash, feeds: page.feeds ?? [], languages: new Map(), ...found, pageBlocks }
}
