import PQueue from 'p-queue'
import { AppError } from '../../errors'

export interface FairTurnsLimits {
  /** Concurrent work of all organizations, and of one. */
  concurrency: number
  perOrganization: number
  /** Waiting work of one organization; more is rejected. */
  maxWaiting: number
  retryAfterSeconds: number
}

export interface FairTurns {
  /** Throws rate_limited if the organization's queue is full. */
  assertRoom(organizationId: string): void
  /** Runs `work` in the organization's turn. Throws rate_limited, the errors of `work`, and the reason of the signal. */
  run<Result>(organizationId: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Waits for a turn, which lasts until the returned function is called. Throws as `run` does. */
  take(organizationId: string, signal?: AbortSignal): Promise<() => void>
}

/**
 * Shares expensive work fairly among organizations. Each has its own queue, from which at most `perOrganization` tasks
 * enter the shared queue. A request therefore waits for at most that many of each other organization, however many they
 * have sent. `what` names the work in messages, in the plural.
 */
export function createFairTurns(what: string, limits: FairTurnsLimits): FairTurns {
  const { concurrency, perOrganization, maxWaiting, retryAfterSeconds } = limits
  const sharedQueue = new PQueue({ concurrency })
  const queues = new Map<string, PQueue>()

  function queueOf(organizationId: string): PQueue {
    const known = queues.get(organizationId)
    if (known) return known
    const queue = new PQueue({ concurrency: perOrganization })
    queue.on('idle', () => queues.delete(organizationId))
    queues.set(organizationId, queue)
    return queue
  }

  function assertRoom(organizationId: string): void {
    const queue = queues.get(organizationId)
    if (!queue || queue.pending + queue.size < perOrganization + maxWaiting) return
    const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`
    throw new AppError('rate_limited', `Your organization has too many ${what} in progress. Try again in ${wait}.`, {
      details: { retryAfterSeconds },
    })
  }

  const run: FairTurns['run'] = async (organizationId, work, signal) => {
    assertRoom(organizationId)
    const queue = queueOf(organizationId)
    // Passing the signal to the queue would start the next task while an aborted one still runs.
    const runInTurn = async () => {
      signal?.throwIfAborted()
      return work()
    }
    return queue.add(() => sharedQueue.add(runInTurn))
  }

  return {
    assertRoom,
    run,
    take: (organizationId, signal) =>
      new Promise((resolve, reject) => {
        run(organizationId, () => new Promise<void>(resolve), signal).catch(reject)
      }),
  }
}
