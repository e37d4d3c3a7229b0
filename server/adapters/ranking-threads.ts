import type { Ranker, Ranking, RankingRequest } from '../engine/search/rank-fragments'
import { createThreadPool } from './threads/thread-pool'

export interface RankingThreads extends Ranker {
  startAll(): Promise<void>
  close(): Promise<void>
}

/** Ranks outside the event loop where searches themselves run on another server. */
export function createRankingThreads({
  count,
  log,
}: {
  count: number
  log?: { warn(details: object, message: string): void }
}): RankingThreads {
  const pool = createThreadPool<RankingRequest, Ranking | null>({
    thread: 'rank',
    data: {},
    size: count,
    onCrash: (error) => log?.warn({ err: error }, 'A ranking thread ended unexpectedly.'),
  })
  return {
    rank: (request) => pool.run(request),
    startAll: () => pool.startAll(),
    close: () => pool.close(),
  }
}
