import { createAlternateTexts } from '../../../server/engine/crawl/fetch/alternate-text'
import { createHostRateLimiter } from '../../../server/engine/crawl/fetch/host-rate-limiter'
import { createRobotsReader } from '../../../server/engine/crawl/fetch/robots-reader'
import { createSoft404Detector } from '../../../server/engine/crawl/fetch/soft-404'
import type { Extractor } from '../../../server/engine/ports/extractor'
import type { Fetcher } from '../../../server/engine/ports/fetcher'
import { noRetryDelays } from '../no-retry-delays'

/** Wires what fetching pages depends on as the product does, without retry delays. */
export function createCrawlDeps(fetcher: Fetcher, extractor: Extractor, { delayMs = 0 } = {}) {
  const agent = 'sitelore'
  const rateLimiter = createHostRateLimiter({ delayMs })
  const robots = createRobotsReader({ fetcher, rateLimiter, agent })
  const soft404 = createSoft404Detector({ fetcher, extractor, robots, rateLimiter })
  const alternateTexts = createAlternateTexts({ fetcher, robots, rateLimiter })
  return { fetcher, extractor, retryDelaysMs: noRetryDelays, robots, rateLimiter, soft404, alternateTexts, agent }
}
