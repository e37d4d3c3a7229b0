import PQueue from 'p-queue'
import { AppError } from '../../errors'

export interface FairTurnsLimits {
  /** Work that runs at once, of all organizations and of one. */
  concurrency: number
  perOrganization: number
  /** Work of one organization that waits; more is refused. */
  maxWaiting: number
  retryAfterSeconds: number
}

export interface FairTurns {
  /** Throws rate_limited if the organization has as much under way as it may. */
  assertRoom(organizationId: string): void
  /** Runs `work` in the organization's turn. Throws rate_limited, what `work` throws, and the reason of the signal. */
  run<Result>(organizationId: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Waits for a turn, which lasts until the returned function is called. Throws as `run` does. */
  take(organizationId: string, signal?: AbortSignal): Promise<() => void>
}

/**
 * Shares what is expensive among organizations. Each has a line of its own, out of which at most `perOrganization` enter
 * the common line, so a request waits for that many of each other organization, however many they have sent. `what` names
 * the work in messages, in the plural.
 */
export function createFairTurns(what: string, limits: FairTurnsLimits): FairTurns {
  const { concurrency, perOrganization, maxWaiting, retryAfterSeconds } = limits
  const common = new PQueue({ concurrency })
  const lines = new Map<string, PQueue>()

  function lineOf(organizationId: string): PQueue {
    const known = lines.get(organizationId)
    if (known) return known
    const line = new PQueue({ concurrency: perOrganization })
    line.on('idle', () => lines.delete(organizationId))
    lines.set(organizationId, line)
    return line
  }

  function assertRoom(organizationId: string): void {
    const line = lines.get(organizationId)
    if (!line || line.pending + line.size < perOrganization + maxWaiting) return
    const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`
    throw new AppError('rate_limited', `Your organization has too many ${what} under way. Try again in ${wait}.`, {
      details: { retryAfterSeconds },
    })
  }

  const run: FairTurns['run'] = async (organizationId, work, signal) => {
    assertRoom(organizationId)
    const line = lineOf(organizationId)
    // The queue is not given the signal: it would start the next work while an aborted one still runs.
    const inTurn = async () => {
      signal?.throwIfAborted()
      return work()
    }
    return line.add(() => common.add(inTurn))
  }

  return {
    assertRoom,
    run,
    take: (organizationId, signal) =>
      new Promise((taken, refused) => {
        run(organizationId, () => new Promise<void>(taken), signal).catch(refused)
      }),
  }
}
