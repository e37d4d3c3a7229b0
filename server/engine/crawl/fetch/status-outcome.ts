import { reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import type { FetchedBody } from '../../ports/fetcher'
import { type OtherOutcome, refused } from './page-outcome'
import { parseRetryAfter } from './retry-after'

/** Null for a status whose body is to be read. */
export function outcomeOfStatus(response: FetchedBody): OtherOutcome | null {
  const { status } = response
  if (status >= 200 && status < 300) return null
  if (status === 404 || status === 410) {
    const reason = status === 410 ? 'gone' : 'not-found'
    return { kind: 'gone', reason, message: reasonText(reason), httpStatus: status }
  }
  if (status >= 500 || status === 429 || status === 408 || status === 425) {
    const reason = status === 429 ? 'rate-limited' : 'http-server-error'
    return { ...refused(reason, { status }), retryAfterMs: parseRetryAfter(response) ?? crawlLimits.retryMs }
  }
  const isProtected = status === 401 || status === 402 || status === 403 || status === 407
  return refused(isProtected ? 'access-denied' : 'http-client-error', { status })
}
