import PQueue from 'p-queue'
import { AppError } from '../../errors'

export interface FairTurnsLimits {
  /** Concurrent work of all organizations, and of one. */
  concurrency: number
  perOrganization: number
  /** Concurrent work of one organization while others have work, too; as `perOrganization` by default. */
  perSharingOrganization?: number
  /** Waiting work of one organization; more is rejected. */
  maxWaiting: number
  /** The same for patient work, which is counted by itself; as `maxWaiting` by default. */
  maxPatient?: number
  retryAfterSeconds: number
}

export interface TurnOptions {
  signal?: AbortSignal | undefined
  /** Whether the work is part of a task of seconds, which had better wait than fail. */
  isPatient?: boolean
}

export interface FairTurns {
  /** Throws rate_limited if the organization's queue is full. */
  assertRoom(organizationId: string): void
  /** Runs `work` in the organization's turn. Throws rate_limited, the errors of `work`, and the reason of the signal. */
  run<Result>(organizationId: string, work: () => Promise<Result>, options?: TurnOptions): Promise<Result>
  /** Waits for a turn, which lasts until the returned function is called. Throws as `run` does. */
  take(organizationId: string, signal?: AbortSignal): Promise<() => void>
}

/** An organization that had work within this time counts as one that shares. */
const sharingMs = 1_000

interface OrganizationQueue {
  queue: PQueue
  /** Work that waits or runs. */
  patient: number
  impatient: number
}

/**
 * Shares expensive work fairly among organizations. Each has its own queue, from which at most `perOrganization` tasks
 * enter the shared queue, fewer while others have work, too. A request therefore waits for at most that many of each other
 * organization, however many they have sent. `what` names the work in messages, in the plural.
 */
export function createFairTurns(what: string, limits: FairTurnsLimits): FairTurns {
  const { concurrency, perOrganization, maxWaiting, maxPatient = maxWaiting, retryAfterSeconds } = limits
  const { perSharingOrganization = perOrganization } = limits
  const sharedQueue = new PQueue({ concurrency })
  const queues = new Map<string, OrganizationQueue>()
  /** When each organization last had work, oldest first. */
  const lastWork = new Map<string, number>()

  function queueOf(organizationId: string): OrganizationQueue {
    const known = queues.get(organizationId)
    if (known) return known
    const queue = new PQueue({ concurrency: perOrganization })
    queue.on('idle', () => queues.delete(organizationId))
    const created = { queue, patient: 0, impatient: 0 }
    queues.set(organizationId, created)
    return created
  }

  function assertRoom(organizationId: string, kind: 'patient' | 'impatient' = 'impatient'): void {
    const max = perOrganization + (kind === 'patient' ? maxPatient : maxWaiting)
    if ((queues.get(organizationId)?.[kind] ?? 0) < max) return
    const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`
    throw new AppError('rate_limited', `Your organization has too many ${what} in progress. Try again in ${wait}.`, {
      details: { retryAfterSeconds },
    })
  }

  const run: FairTurns['run'] = async (organizationId, work, { signal, isPatient = false } = {}) => {
    const kind = isPatient ? 'patient' : 'impatient'
    assertRoom(organizationId, kind)
    const own = queueOf(organizationId)
    // Passing the signal to the queue would start the next task while an aborted one still runs.
    const runInTurn = async () => {
      signal?.throwIfAborted()
      return work()
    }
    own[kind]++
    try {
      const result = own.queue.add(() => sharedQueue.add(runInTurn))
      noteWork(organizationId)
      return await result
    } finally {
      own[kind]--
      noteWork(organizationId)
    }
  }

  /** Lets organizations do less at a time while they share, and more again afterwards. */
  function noteWork(organizationId: string): void {
    const now = performance.now()
    lastWork.delete(organizationId)
    lastWork.set(organizationId, now)
    for (const [other, at] of lastWork) {
      if (now - at < sharingMs) break
      lastWork.delete(other)
    }
    const isShared = lastWork.size > 1
    const share = isShared ? perSharingOrganization : perOrganization
    for (const { queue } of queues.values()) if (queue.concurrency !== share) queue.concurrency = share
  }

  return {
    assertRoom: (organizationId) => assertRoom(organizationId),
    run,
    take: (organizationId, signal) =>
      new Promise((resolve, reject) => {
        run(organizationId, () => new Promise<void>(resolve), { signal }).catch(reject)
      }),
  }
}
