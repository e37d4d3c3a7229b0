import { type RankingRequest, rankFragments } from '../../server/engine/search/rank-fragments'
import { answerRequests } from './worker-protocol'

answerRequests<RankingRequest, unknown>(
  async (request) => ({ response: rankFragments(request) }),
  () => {},
)
