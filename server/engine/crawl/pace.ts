import { setTimeout as sleep } from 'node:timers/promises'
import { siteOf } from './urls'

/** Keeps requests to one site apart. A site is a host with its port; `www.` makes no difference. */
export interface Pace {
  /** Does `work` when it is this caller's turn: one at once a site, with the gap since the last. Rejects when aborted. */
  run<T>(address: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** What robots.txt asks for, in milliseconds; never less than the configured gap. */
  setGap(address: string, gapMs: number): void
  /** No request to this site for so long. */
  pause(address: string, ms: number): void
  /** Milliseconds until the site may be asked again, without those who wait in line. */
  waitMs(address: string): number
}

interface Turn {
  last: Promise<unknown>
  waiting: number
  gapMs: number
  /** Time from which the next request may start. */
  from: number
}

export interface PaceOptions {
  /** Milliseconds between the end of one request and the start of the next. */
  gapMs: number
  now?: () => number
}

export function createPace({ gapMs, now = Date.now }: PaceOptions): Pace {
  const turns = new Map<string, Turn>()

  function turnOf(address: string): Turn {
    const site = siteOf(address)
    const known = turns.get(site)
    if (known) return known
    const turn: Turn = { last: Promise.resolve(), waiting: 0, gapMs, from: 0 }
    turns.set(site, turn)
    return turn
  }

  async function whenDue(turn: Turn, signal?: AbortSignal): Promise<void> {
    // A pause may come while this one waits.
    for (let wait = turn.from - now(); wait > 0; wait = turn.from - now()) {
      await sleep(wait, undefined, signal ? { signal } : {}).catch(() => undefined)
      signal?.throwIfAborted()
    }
  }

  return {
    async run(address, work, signal) {
      const turn = turnOf(address)
      turn.waiting++
      const result = turn.last.then(async () => {
        signal?.throwIfAborted()
        await whenDue(turn, signal)
        try {
          return await work()
        } finally {
          turn.from = Math.max(turn.from, now() + turn.gapMs)
        }
      })
      turn.last = result.catch(() => undefined)
      try {
        return await result
      } finally {
        turn.waiting--
        forgetIdle()
      }
    },
    setGap(address, ms) {
      turnOf(address).gapMs = Math.max(gapMs, ms)
    },
    pause(address, ms) {
      const turn = turnOf(address)
      turn.from = Math.max(turn.from, now() + ms)
    },
    waitMs: (address) => Math.max(0, turnOf(address).from - now()),
  }

  /** Sites that nobody waits for are forgotten, so that a server that runs for months stays small. */
  function forgetIdle(): void {
    if (turns.size < 1000) return
    for (const [site, turn] of turns) if (turn.waiting === 0 && turn.from < now()) turns.delete(site)
  }
}
