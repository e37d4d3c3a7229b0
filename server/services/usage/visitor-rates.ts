import type { RateState } from '../../errors'
import { networkOf } from '../../network'
import { type RateWindow, takeRate } from './request-rates'

/** Limits the requests of one network address to the routes of visitors, whatever keys they send. */
export function createVisitorRates({ limit, window }: { limit: number; window: RateWindow }) {
  return {
    /** Counts a request. Throws rate_limited. */
    take: (ip: string): Promise<RateState> =>
      takeRate(window, { name: 'address', key: networkOf(ip), limit }, (wait) => {
        return `Your network may send ${limit} requests a minute. Try again in ${wait}.`
      }),
  }
}
