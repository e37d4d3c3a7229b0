import { type ReasonCode, reasonText } from '../../../contract/reasons'
import { crawlLimits } from '../limits'
import type { Fetcher, FetchOutcome } from '../ports'
import type { Pace } from './pace'
import { allowAll, parseRobots, type RobotsRules } from './robots'

/** `retry`: a later attempt may go better. */
export type RobotsAnswer =
  | { kind: 'rules'; rules: RobotsRules }
  | { kind: 'unavailable'; reason: ReasonCode; message: string; retry: boolean }

export interface RobotsReader {
  /** The rules for an address, read once a day for each origin, or why nothing of the site may be read now. */
  rulesFor(address: string, signal?: AbortSignal): Promise<RobotsAnswer>
}

export interface RobotsReaderDeps {
  fetcher: Fetcher
  pace: Pace
  /** Product token that robots.txt files name, without version. */
  agent: string
  now?: () => number
}

/** Reads robots.txt files, keeps them in memory and hands their Crawl-delay to the pace. */
export function createRobotsReader({ fetcher, pace, agent, now = Date.now }: RobotsReaderDeps): RobotsReader {
  const known = new Map<string, { until: number; answer: RobotsAnswer }>()
  const asking = new Map<string, Promise<RobotsAnswer>>()

  async function read(origin: string, signal?: AbortSignal): Promise<RobotsAnswer> {
    const url = `${origin}/robots.txt`
    const outcome = await pace.run(url, () => fetcher.fetch({ url, kind: 'robots' }, signal), signal)
    const answer = answerOf(outcome, url, agent)
    if (answer.kind === 'rules' && answer.rules.crawlDelayMs !== null) pace.setGap(url, answer.rules.crawlDelayMs)
    const { cacheMs, failureCacheMs } = crawlLimits.robots
    if (known.size >= 10_000) known.delete(known.keys().next().value ?? '')
    known.set(origin, { until: now() + (answer.kind === 'rules' ? cacheMs : failureCacheMs), answer })
    return answer
  }

  return {
    rulesFor(address, signal) {
      const { origin } = new URL(address)
      const cached = known.get(origin)
      if (cached && cached.until > now()) return Promise.resolve(cached.answer)
      const pending = asking.get(origin)
      // The one who asks may be aborted; those who wait then ask themselves.
      if (pending) return pending.catch(() => this.rulesFor(address, signal))
      const asked = read(origin, signal).finally(() => asking.delete(origin))
      asking.set(origin, asked)
      return asked
    },
  }
}

/** RFC 9309, 2.3.1: what does not exist allows all, what cannot be reached allows nothing. */
function answerOf(outcome: FetchOutcome, url: string, agent: string): RobotsAnswer {
  if (outcome.kind === 'fetched') {
    const { status, body } = outcome
    if (status >= 200 && status < 300) {
      return { kind: 'rules', rules: parseRobots(new TextDecoder().decode(body), agent, url) }
    }
    return status >= 500 || status === 429
      ? unavailable('robots-unavailable', true)
      : { kind: 'rules', rules: allowAll }
  }
  if (outcome.kind === 'unchanged') return { kind: 'rules', rules: allowAll }
  switch (outcome.reason) {
    case 'too-many-redirects':
    case 'invalid-address':
      return { kind: 'rules', rules: allowAll }
    case 'connection-failed':
    case 'timeout':
      return { kind: 'unavailable', reason: outcome.reason, message: outcome.message, retry: true }
    case 'private-address':
    case 'unresolved':
      return { kind: 'unavailable', reason: outcome.reason, message: outcome.message, retry: false }
    default:
      return unavailable('robots-unavailable', false)
  }
}

function unavailable(reason: ReasonCode, retry: boolean): RobotsAnswer {
  return { kind: 'unavailable', reason, message: reasonText(reason), retry }
}
