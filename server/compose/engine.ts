import { type Config, crawlerName } from '../config/config'
import { createAlternateTexts } from '../engine/crawl/fetch/alternate-text'
import { createHostRateLimiter } from '../engine/crawl/fetch/host-rate-limiter'
import { createRobotsReader } from '../engine/crawl/fetch/robots-reader'
import { createSoft404Detector } from '../engine/crawl/fetch/soft-404'
import type { Adapters } from './adapters'

export type Engine = ReturnType<typeof createEngine>

/** Creates the crawler. All runs and previews share its state, such as the rate limiter and the cached robots.txt. */
export function createEngine(
  {
    fetcher,
    extractor,
    retryDelaysMs,
    hostTurns,
  }: Pick<Adapters, 'fetcher' | 'extractor' | 'retryDelaysMs' | 'hostTurns'>,
  config: Config,
) {
  const rateLimiter = createHostRateLimiter({ delayMs: config.crawl.delayMs, turns: hostTurns })
  const robots = createRobotsReader({ fetcher, rateLimiter, agent: crawlerName })
  const soft404 = createSoft404Detector({ fetcher, extractor, robots, rateLimiter })
  const alternateTexts = createAlternateTexts({ fetcher, robots, rateLimiter })
  return { fetcher, extractor, rateLimiter, retryDelaysMs, robots, soft404, alternateTexts, agent: crawlerName }
}
