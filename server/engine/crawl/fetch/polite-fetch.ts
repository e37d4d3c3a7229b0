import { type ReasonCode, type ReasonDetails, reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import type { Fetcher, FetchKind, FetchOutcome, FetchRequest, SiteAccess } from '../../ports'
import { normalizeAddress } from '../urls/urls'
import { LongWait, type Pace, type TurnOptions } from './host-rate-limiter'
import { pauseIfBusy } from './retry-after'
import type { RobotsReader } from './robots-reader'

export interface AskDeps {
  fetcher: Fetcher
  robots: RobotsReader
  pace: Pace
}

export interface Question {
  /** Normalized. */
  url: string
  kind: FetchKind
  etag?: string | null
  lastModified?: string | null
  access?: SiteAccess | null
  gapMs?: number
  /** Why the target of a redirect is not asked for; null where it may be. robots.txt is read after it. */
  refusalOf?(target: string): Denial | null
  /** Whether what a redirect leads to is known already: it is not asked for then, and answered as 'unchanged'. */
  isKnown?(target: string): Promise<boolean>
  /** Addresses that may be read whatever the rules say: sitemaps that robots.txt itself names. */
  named?: ReadonlySet<string>
  take?: FetchRequest['take']
}

/** Nothing was read, and no more was asked. */
export interface Denial {
  kind: 'denied'
  reason: ReasonCode
  message: string
  /** Milliseconds after which another attempt may go better; null when it would not. */
  afterMs: number | null
}

/** `redirect`: the status of the first redirect on the way; null where there was none. */
type Answer = Exclude<FetchOutcome, { kind: 'refused' }> & { redirect: number | null }

/**
 * Asks a site as politely as it wants: every address, also one that a redirect leads to, is asked for only if its
 * robots.txt lets us in, and in a turn of its own. At most five redirects are followed. Where a busy server names a
 * time, its site is paused for so long. Rejects only when `signal` aborts.
 */
export async function askSite(deps: AskDeps, question: Question, signal?: AbortSignal): Promise<Answer | Denial> {
  const { gapMs, refusalOf, isKnown, named } = question
  const turn = { signal, gapMs, patienceMs: crawlLimits.patienceMs }
  const asked = new Set<string>()
  let address = question.url
  let redirect: number | null = null
  try {
    while (asked.size <= crawlLimits.redirects) {
      asked.add(address)
      const closed = named?.has(address) ? null : await refusalOfRobots(deps, address, turn)
      if (closed) return closed
      const { outcome, leadsTo } = await fetchOne(deps, question, address, turn)
      if (leadsTo === null) return outcome.kind === 'refused' ? ofFetchRefusal(outcome) : { ...outcome, redirect }
      const [target = ''] = leadsTo.address.split('#', 1)
      redirect ??= leadsTo.status
      if (asked.has(target)) return denied('too-many-redirects', 'The address redirects in a circle.')
      const refusal = refusalOf?.(target)
      if (refusal) return refusal
      if (await isKnown?.(target)) {
        return { kind: 'unchanged', url: target, status: 304, headers: {}, tookMs: 0, redirect }
      }
      address = target
    }
    return denied('too-many-redirects')
  } catch (error) {
    if (error instanceof LongWait) return { ...denied('rate-limited'), afterMs: error.waitMs }
    throw error
  }
}

/** Why an address may not be asked for now; null when it may. Rejects only when `signal` aborts. */
export async function refusalOfRobots(
  { robots }: Pick<AskDeps, 'robots'>,
  address: string,
  turn: Pick<TurnOptions, 'gapMs' | 'signal'>,
): Promise<Denial | null> {
  const answer = await robots.rulesFor(address, turn)
  if (answer.kind === 'unavailable') return { ...answer, kind: 'denied' }
  return answer.rules.isAllowed(address) ? null : denied('robots-disallowed')
}

interface Redirect {
  address: string
  status: number
}

/** One request. Where it leads on, `leadsTo` says where to, which was not asked for. */
async function fetchOne(
  { fetcher, pace }: AskDeps,
  { url, kind, etag, lastModified, access, take }: Question,
  address: string,
  turn: TurnOptions,
): Promise<{ outcome: FetchOutcome; leadsTo: Redirect | null }> {
  // They are of the page, however its address is written, and not of one that it leads to.
  const isSame = address === url || normalizeAddress(address) === url
  const led: { to: Redirect | null } = { to: null }
  const request = {
    url: address,
    kind,
    ...(isSame && etag ? { etag } : {}),
    ...(isSame && lastModified ? { lastModified } : {}),
    ...(access ? { access } : {}),
    ...(take ? { take } : {}),
    async mayVisit(target: string, status: number) {
      // A turn is for one request: the next one waits for its own.
      led.to = { address: target, status }
      return false
    },
  }
  async function ask(): Promise<FetchOutcome> {
    const outcome = await fetcher.fetch(request, turn.signal)
    pauseIfBusy(pace, address, outcome)
    return outcome
  }
  return { outcome: await pace.run(address, ask, turn), leadsTo: led.to }
}

function ofFetchRefusal({ reason, message }: Extract<FetchOutcome, { kind: 'refused' }>): Denial {
  const mayPass = reason === 'connection-failed' || reason === 'timeout'
  const known = reason === 'not-allowed' ? 'robots-disallowed' : reason
  return { kind: 'denied', reason: known, message, afterMs: mayPass ? crawlLimits.retryMs : null }
}

export function denied(reason: ReasonCode, details: ReasonDetails | string = {}): Denial {
  const message = typeof details === 'string' ? details : reasonText(reason, details)
  return { kind: 'denied', reason, message, afterMs: null }
}
