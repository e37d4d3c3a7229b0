import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import type { Fetcher, FetchOutcome } from '../../ports'
import { allowAll, decodeRobots, parseRobots, type RobotsRules } from '../formats/robots'
import { LongWait, type Pace, type TurnOptions } from './host-rate-limiter'
import { pauseIfBusy } from './retry-after'
import { createAnswerMemory } from './single-flight-cache'

/** `afterMs`: milliseconds after which another attempt may go better; null when it would not. */
export type RobotsAnswer =
  | { kind: 'rules'; rules: RobotsRules }
  | { kind: 'unavailable'; reason: ReasonCode; message: string; afterMs: number | null }

export interface RobotsReader {
  /**
   * The rules for an address, read once a day for each origin, or why nothing of the site may be read now. Where they
   * are to be read, waits for a turn at the site, but not for a long pause. Rejects only when the signal aborts.
   */
  rulesFor(address: string, turn?: Pick<TurnOptions, 'signal' | 'gapMs'>): Promise<RobotsAnswer>
}

export interface RobotsReaderDeps {
  fetcher: Fetcher
  pace: Pace
  /** Product token that robots.txt files name, without version. */
  agent: string
  now?: () => number
}

/** Origins whose rules are kept. */
const knownOrigins = 1000

/** Reads robots.txt files, keeps them in memory and hands their Crawl-delay to the pace. */
export function createRobotsReader({ fetcher, pace, agent, now = Date.now }: RobotsReaderDeps): RobotsReader {
  const memory = createAnswerMemory<RobotsAnswer>({ size: knownOrigins, now })

  async function read(url: string, turn: TurnOptions): Promise<{ answer: RobotsAnswer; holdsMs: number }> {
    try {
      const answer = answerOf(await follow(url, { ...turn, patienceMs: crawlLimits.patienceMs }), url, agent)
      const { cacheMs, failureCacheMs } = crawlLimits.robots
      return { answer, holdsMs: answer.kind === 'rules' ? cacheMs : failureCacheMs }
    } catch (error) {
      if (error instanceof LongWait) return { answer: unavailable('rate-limited', error.waitMs), holdsMs: 0 }
      throw error
    }
  }

  /** Redirects, too, are asked one by one, each in a turn at its own site. */
  async function follow(url: string, turn: TurnOptions): Promise<FetchOutcome> {
    const asked = new Set<string>()
    let address = url
    while (asked.size <= crawlLimits.redirects && !asked.has(address)) {
      asked.add(address)
      const { outcome, leadsTo } = await askOnce(address, turn)
      if (leadsTo === null) return outcome
      address = leadsTo
    }
    const reason = 'too-many-redirects'
    return { kind: 'refused', reason, message: reasonText(reason) }
  }

  async function askOnce(url: string, turn: TurnOptions): Promise<{ outcome: FetchOutcome; leadsTo: string | null }> {
    const led: { to: string | null } = { to: null }
    async function mayVisit(target: string): Promise<boolean> {
      led.to = target.split('#', 1)[0] ?? target
      return false
    }
    async function ask(): Promise<FetchOutcome> {
      const outcome = await fetcher.fetch({ url, kind: 'robots', mayVisit }, turn.signal)
      pauseIfBusy(pace, url, outcome)
      return outcome
    }
    return { outcome: await pace.run(url, ask, turn), leadsTo: led.to }
  }

  return {
    async rulesFor(address, turn = {}) {
      const { origin } = new URL(address)
      const answer = await memory.recall(origin, () => read(`${origin}/robots.txt`, turn), turn.signal)
      // Each time: a pace that has forgotten the site learns it anew.
      if (answer.kind === 'rules') pace.setGap(origin, answer.rules.crawlDelayMs ?? 0)
      return answer
    },
  }
}

/** RFC 9309, 2.3.1: what does not exist allows all, what cannot be reached allows nothing. */
function answerOf(outcome: FetchOutcome, url: string, agent: string): RobotsAnswer {
  if (outcome.kind === 'fetched') {
    const { status, body } = outcome
    if (status >= 200 && status < 300) {
      return { kind: 'rules', rules: parseRobots(decodeRobots(body), agent, url) }
    }
    return status >= 500 || status === 429
      ? unavailable('robots-unavailable', crawlLimits.retryMs)
      : { kind: 'rules', rules: allowAll }
  }
  if (outcome.kind === 'unchanged') return { kind: 'rules', rules: allowAll }
  switch (outcome.reason) {
    case 'too-many-redirects':
    case 'invalid-address':
      return { kind: 'rules', rules: allowAll }
    case 'connection-failed':
    case 'timeout':
      return { kind: 'unavailable', reason: outcome.reason, message: outcome.message, afterMs: crawlLimits.retryMs }
    case 'private-address':
    case 'forbidden-address':
    case 'unresolved':
      return { kind: 'unavailable', reason: outcome.reason, message: outcome.message, afterMs: null }
    default:
      return unavailable('robots-unavailable', null)
  }
}

function unavailable(reason: ReasonCode, afterMs: number | null): RobotsAnswer {
  return { kind: 'unavailable', reason, message: reasonText(reason), afterMs }
}
