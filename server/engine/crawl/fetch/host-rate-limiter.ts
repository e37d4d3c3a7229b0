import { setTimeout as sleep } from 'node:timers/promises'
import type { HostTurns } from '../../ports/host-turns'
import { siteOf } from '../urls/urls'

/** Runs one task at a time for each host, with a delay in between. A host includes its port; `www.` makes no difference. */
export interface HostRateLimiter {
  /**
   * Runs `task` when it is its turn, first come, first served. Rejects at once when `signal` aborts before its turn, and
   * with HostBusy when the host is paused for longer than `maxWaitMs`. `task` must not schedule another task.
   */
  schedule<T>(url: string, task: () => Promise<T>, options?: ScheduleOptions): Promise<T>
  /** Sets the Crawl-delay of the URL's origin in milliseconds; 0 removes it. */
  setCrawlDelay(url: string, delayMs: number): void
  /** Starts no task at this host for `ms`. */
  pause(url: string, ms: number): void
  /** Milliseconds until the host may be asked again, without the tasks that wait. */
  waitMs(url: string): number
}

export interface ScheduleOptions {
  signal?: AbortSignal
  /** Milliseconds to wait after this task, in place of the default; robots.txt may ask for more. */
  crawlDelayMs?: number
  /** The longest pause of the host to wait for, not counting earlier tasks; unlimited by default. */
  maxWaitMs?: number
}

/** The host is paused for longer than the caller waits. */
export class HostBusy extends Error {
  constructor(readonly waitMs: number) {
    super('The site asks for a long pause.')
  }
}

export interface HostRateLimiterOptions {
  /** Milliseconds between the end of one task and the start of the next. */
  delayMs: number
  /** Turns that other processes take, too; null where this one is alone. */
  turns?: HostTurns | null
  now?: () => number
}

interface Waiter {
  maxWaitMs: number
  start(): void
  reject(reason: unknown): void
}

interface Host {
  name: string
  isBusy: boolean
  /** Waiting tasks in the order of arrival. */
  waiters: Set<Waiter>
  timer: NodeJS.Timeout | null
  /** Crawl delays from robots.txt, by origin. */
  crawlDelays: Map<string, number>
  endedAt: number
  /** When the next task may start. */
  startsAt: number
}

/** Beyond this number, idle hosts are forgotten. */
const maxHosts = 1000
/** The longest delay that setTimeout supports. */
const maxTimerMs = 2 ** 31 - 1

export function createHostRateLimiter({
  delayMs: defaultDelayMs,
  turns = null,
  now = () => performance.now(),
}: HostRateLimiterOptions): HostRateLimiter {
  const hosts = new Map<string, Host>()

  function hostOf(url: string): Host {
    const name = siteOf(url)
    const known = hosts.get(name)
    if (known) return known
    if (hosts.size >= maxHosts) forgetIdle()
    const host: Host = {
      name,
      isBusy: false,
      waiters: new Set(),
      timer: null,
      crawlDelays: new Map(),
      endedAt: Number.NEGATIVE_INFINITY,
      startsAt: 0,
    }
    hosts.set(name, host)
    return host
  }

  function forgetIdle(): void {
    for (const [name, { isBusy, waiters, startsAt }] of hosts) {
      if (!isBusy && waiters.size === 0 && startsAt <= now()) hosts.delete(name)
    }
  }

  return {
    async schedule(url, task, options = {}) {
      options.signal?.throwIfAborted()
      const host = hostOf(url)
      const delayMs = options.crawlDelayMs ?? defaultDelayMs
      await turn(host, options)
      try {
        if (turns) await takeShared(turns, host, options)
        try {
          return await task()
        } finally {
          host.endedAt = now()
          host.startsAt = Math.max(host.startsAt, host.endedAt + Math.max(delayMs, ...host.crawlDelays.values()))
          await turns?.end(host.name, host.startsAt - now())
        }
      } finally {
        host.isBusy = false
        advance(host)
      }
    },
    setCrawlDelay(url, ms) {
      const host = hostOf(url)
      const { origin } = new URL(url)
      if (ms <= 0) host.crawlDelays.delete(origin)
      else host.crawlDelays.set(origin, ms)
      // The request for robots.txt counts, too.
      host.startsAt = Math.max(host.startsAt, host.endedAt + ms)
    },
    pause(url, ms) {
      const host = hostOf(url)
      host.startsAt = Math.max(host.startsAt, now() + ms)
      advance(host)
    },
    waitMs: (url) => Math.max(0, (hosts.get(siteOf(url))?.startsAt ?? 0) - now()),
  }

  /** Waits until no other process has a turn at the host. */
  async function takeShared(
    shared: HostTurns,
    host: Host,
    { signal, maxWaitMs = Number.POSITIVE_INFINITY }: ScheduleOptions,
  ): Promise<void> {
    for (;;) {
      const wait = await shared.take(host.name)
      if (!wait) return
      if (wait.reason === 'paused') {
        host.startsAt = Math.max(host.startsAt, now() + wait.waitMs)
        if (wait.waitMs > maxWaitMs) throw new HostBusy(wait.waitMs)
      }
      await sleep(Math.min(wait.waitMs, maxTimerMs), undefined, { signal })
    }
  }

  function turn(host: Host, { signal, maxWaitMs = Number.POSITIVE_INFINITY }: ScheduleOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        host.waiters.delete(waiter)
        waiter.reject(signal?.reason)
        advance(host)
      }
      const waiter: Waiter = {
        maxWaitMs,
        start() {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
        reject(reason) {
          signal?.removeEventListener('abort', onAbort)
          reject(reason)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      host.waiters.add(waiter)
      advance(host)
    })
  }

  /** Starts the first waiter, or sets a timer for it. */
  function advance(host: Host): void {
    const waitMs = host.startsAt - now()
    for (const waiter of host.waiters) {
      if (waitMs <= waiter.maxWaitMs) continue
      host.waiters.delete(waiter)
      waiter.reject(new HostBusy(waitMs))
    }
    const [first] = host.waiters
    if (host.timer) clearTimeout(host.timer)
    host.timer = null
    if (host.isBusy || !first) return
    if (waitMs > 0) {
      host.timer = setTimeout(() => advance(host), Math.min(waitMs, maxTimerMs))
      return
    }
    host.waiters.delete(first)
    host.isBusy = true
    first.start()
  }
}
