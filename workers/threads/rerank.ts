import { workerData } from 'node:worker_threads'
import type { PairRequest } from '../../server/adapters/reranking/cross-encoder'
import { openRerankingSession, type RerankingSessionOptions } from '../../server/adapters/reranking/reranking-session'
import { answerRequests } from './worker-protocol'

const session = await openRerankingSession(workerData as RerankingSessionOptions)

answerRequests<PairRequest, number>(
  async ({ query, text }) => ({ response: await session.score(query, text) }),
  () => session.close(),
)
