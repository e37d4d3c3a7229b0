import { siteOf } from '../urls/urls'

/** Keeps requests to one site apart. A site is a host with its port; `www.` makes no difference. */
export interface Pace {
  /**
   * Does `work` when it is this caller's turn: one at once a site, in the order of asking, with the gap since the last.
   * Rejects at once when aborted while it waits, and with LongWait when the site is paused for longer than the caller's
   * patience. `work` must not wait for a turn itself.
   */
  run<T>(address: string, work: () => Promise<T>, options?: TurnOptions): Promise<T>
  /** What the robots.txt of the address's origin asks for, in milliseconds; 0 for nothing. */
  setGap(address: string, gapMs: number): void
  /** No request to this site for so long. */
  pause(address: string, ms: number): void
  /** Milliseconds until the site may be asked again, without those who wait in line. */
  waitMs(address: string): number
}

export interface TurnOptions {
  signal?: AbortSignal
  /** Milliseconds to keep after this piece of work, in place of the default; robots.txt may ask for more. */
  gapMs?: number
  /** The longest pause that is waited for, not counting those in front; any is when this is left out. */
  patienceMs?: number
}

/** The site is not to be asked for so long that the caller does not wait. */
export class LongWait extends Error {
  constructor(readonly waitMs: number) {
    super('The site asks for a long pause.')
  }
}

export interface PaceOptions {
  /** Milliseconds between the end of one request and the start of the next. */
  gapMs: number
  now?: () => number
}

interface Waiter {
  patienceMs: number
  start(): void
  refuse(reason: unknown): void
}

interface Site {
  isBusy: boolean
  /** First one first. */
  line: Set<Waiter>
  timer: NodeJS.Timeout | null
  /** Asked for by robots.txt, by origin. */
  gaps: Map<string, number>
  endedAt: number
  /** Time from which the next request may start. */
  from: number
}

/** From so many on, sites that nobody waits for are forgotten: a server that runs for months stays small. */
const knownSites = 1000
/** What a timer can count. */
const longestTimerMs = 2 ** 31 - 1

export function createPace({ gapMs: defaultGapMs, now = () => performance.now() }: PaceOptions): Pace {
  const sites = new Map<string, Site>()

  function known(address: string): Site {
    const name = siteOf(address)
    const site = sites.get(name)
    if (site) return site
    if (sites.size >= knownSites) forgetIdle()
    const added: Site = {
      isBusy: false,
      line: new Set(),
      timer: null,
      gaps: new Map(),
      endedAt: Number.NEGATIVE_INFINITY,
      from: 0,
    }
    sites.set(name, added)
    return added
  }

  function forgetIdle(): void {
    for (const [name, { isBusy, line, from }] of sites) {
      if (!isBusy && line.size === 0 && from <= now()) sites.delete(name)
    }
  }

  return {
    async run(address, work, options = {}) {
      options.signal?.throwIfAborted()
      const site = known(address)
      const gapMs = options.gapMs ?? defaultGapMs
      await turnOf(site, options)
      try {
        return await work()
      } finally {
        site.isBusy = false
        site.endedAt = now()
        site.from = Math.max(site.from, site.endedAt + Math.max(gapMs, ...site.gaps.values()))
        advance(site)
      }
    },
    setGap(address, ms) {
      const site = known(address)
      const { origin } = new URL(address)
      if (ms <= 0) site.gaps.delete(origin)
      else site.gaps.set(origin, ms)
      // The request that told so counts, too.
      site.from = Math.max(site.from, site.endedAt + ms)
    },
    pause(address, ms) {
      const site = known(address)
      site.from = Math.max(site.from, now() + ms)
      advance(site)
    },
    waitMs: (address) => Math.max(0, (sites.get(siteOf(address))?.from ?? 0) - now()),
  }

  function turnOf(site: Site, { signal, patienceMs = Number.POSITIVE_INFINITY }: TurnOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        site.line.delete(waiter)
        waiter.refuse(signal?.reason)
        advance(site)
      }
      const waiter: Waiter = {
        patienceMs,
        start() {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
        refuse(reason) {
          signal?.removeEventListener('abort', leave)
          reject(reason)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      site.line.add(waiter)
      advance(site)
    })
  }

  /** Gives the turn to the first in line, or sets the clock for it. */
  function advance(site: Site): void {
    const wait = site.from - now()
    for (const waiter of site.line) {
      if (wait <= waiter.patienceMs) continue
      site.line.delete(waiter)
      waiter.refuse(new LongWait(wait))
    }
    const [first] = site.line
    if (site.timer) clearTimeout(site.timer)
    site.timer = null
    if (site.isBusy || !first) return
    if (wait > 0) {
      site.timer = setTimeout(() => advance(site), Math.min(wait, longestTimerMs))
      return
    }
    site.line.delete(first)
    site.isBusy = true
    first.start()
  }
}
