import { createSafeFetch, type SafeFetchOptions } from '../../../server/adapters/fetch/safe-fetch'
import { type RawServer, startRawServer } from './raw-server'
import { type Site, type SiteAnswer, type SiteOptions, startSite } from './site'

export interface Fetching {
  site(pages: Record<string, SiteAnswer>, options?: SiteOptions): Promise<Site>
  /** A server without a protocol, and its address. */
  server(answer: Parameters<typeof startRawServer>[0]): Promise<RawServer & { url: string }>
  /** Fetches from this machine, too. */
  fetcher(options?: Partial<SafeFetchOptions>): ReturnType<typeof createSafeFetch>
  /** Ends all that was started so far. */
  close(): Promise<void>
}

/** What a test of fetching needs: those who ask, and those who answer on free ports. `limits` are those of all fetchers. */
export function createFetching(limits: SafeFetchOptions['limits'] = {}): Fetching {
  const open: (() => Promise<unknown>)[] = []

  return {
    async site(pages, options) {
      const site = await startSite(pages, options)
      open.push(site.close)
      return site
    },
    async server(answer) {
      const server = await startRawServer(answer)
      open.push(server.close)
      return { ...server, url: `http://127.0.0.1:${server.port}/` }
    },
    fetcher(options = {}) {
      const userAgent = 'Sitelore/test'
      const fetcher = createSafeFetch({ allowPrivateNetworks: ['127.0.0.1'], userAgent, limits, ...options })
      open.push(fetcher.close)
      return fetcher
    },
    async close() {
      for (const close of open.splice(0)) await close()
    },
  }
}
