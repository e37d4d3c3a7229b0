import { type Config, crawlerName } from '../config'
import { createToldPages } from '../engine/crawl/fetch/alternate-text'
import { createPace } from '../engine/crawl/fetch/host-rate-limiter'
import { createRobotsReader } from '../engine/crawl/fetch/robots-reader'
import { createMissingPages } from '../engine/crawl/fetch/soft-404'
import type { Outside } from './outside'

export type Engine = ReturnType<typeof createEngine>

/** The crawler: what is asked of sites, with the state that all runs and previews share. */
export function createEngine(
  { fetcher, extractor, retryDelaysMs }: Pick<Outside, 'fetcher' | 'extractor' | 'retryDelaysMs'>,
  config: Config,
) {
  const pace = createPace({ gapMs: config.crawl.delayMs })
  const robots = createRobotsReader({ fetcher, pace, agent: crawlerName })
  const missing = createMissingPages({ fetcher, extractor, robots, pace })
  const told = createToldPages({ fetcher, robots, pace })
  return { fetcher, extractor, pace, retryDelaysMs, robots, missing, told, agent: crawlerName }
}
