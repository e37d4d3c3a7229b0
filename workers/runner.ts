import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { Logger } from 'pino'
import type { Database } from '../db/database'
import { GiveUp, RetryLater } from '../server/errors'
import {
  claimJobs,
  failJob,
  finishJob,
  heartbeat,
  type JobKind,
  type JobRow,
  leaseMs,
  registerWorker,
  requeue,
  unregisterWorker,
} from '../server/services/jobs/jobs'

/** Does one job. `signal` aborts when the process stops: the job then ends soon and is run again by the next. */
export type JobHandler = (payload: Record<string, string>, signal: AbortSignal) => Promise<void>

export interface RunnerOptions {
  db: Database
  log: Logger
  /** 'server' is what the command line looks for before it works by itself. */
  kind: 'server' | 'cli'
  handlers: Record<JobKind, KindHandler>
}

export interface KindHandler {
  run: JobHandler
  /** Jobs of this kind at once. */
  atOnce: number
  /** Places besides, for organizations that have no job of this kind running: those of others may take long. */
  spare?: number
  /** Called before a job is marked as failed for good, so that nobody goes on waiting for it. May be called again. */
  onGivenUp?(payload: Record<string, string>): Promise<void>
  /** A job of this kind that fails again and again is tried on, once in so many milliseconds, and never marked. */
  retryMs?: number
}

export interface Runner {
  /** Looks for work now, not at the next tick. */
  wake(): void
  /** Resolves when no job is due and none runs. */
  idle(): Promise<void>
  /** Lets running jobs end for at most `graceMs`, hands the others back, and leaves. */
  stop(graceMs?: number): Promise<void>
}

const runnersHere = new Set<string>()
const tickMs = 500
const maxAttempts = 5
/** A job that was at work for so long before it failed has come on: what failed before has passed. */
const onTheWayMs = 600_000

/** The jobs table is the queue; p-queue only bounds how much of it runs at once. */
export async function startRunner({ db, log, kind, handlers }: RunnerOptions): Promise<Runner> {
  const id = randomUUID()
  const host = hostname()
  const stopping = new AbortController()
  // One listener for each request and each turn that a job waits for.
  setMaxListeners(0, stopping.signal)
  const atWork = new Set<string>()
  const queues = new Map(
    Object.entries(handlers).map(([name, { atOnce, spare = 0 }]) => {
      return [name as JobKind, new PQueue({ concurrency: atOnce + spare })]
    }),
  )
  let wakeUp: () => void = () => {}
  let looking: Promise<void> = Promise.resolve()

  runnersHere.add(id)
  // After a restart of a container the dead process had our own number.
  const isDead = (other: { id: string; hostname: string; pid: number }) =>
    other.hostname === host && !runnersHere.has(other.id) && (other.pid === process.pid || !isAlive(other.pid))
  await registerWorker(db, { id, hostname: host, pid: process.pid, kind }, isDead)
  const beat = setInterval(
    () => void heartbeat(db, id, [...atWork]).catch((error) => log.error({ err: error }, 'A heartbeat failed.')),
    leaseMs / 3,
  )
  const loop = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      looking = look().catch((error) => log.error({ err: error }, 'Looking for jobs failed.'))
      await looking
      await pause()
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, stopping.signal.aborted ? 0 : tickMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function look(): Promise<void> {
    for (const [name, queue] of queues) {
      // One by one: what is running decides whose job is next.
      for (let taken = queue.pending + queue.size; taken < queue.concurrency; taken = queue.pending + queue.size) {
        const newcomersOnly = taken >= handlers[name].atOnce
        const [job] = await claimJobs(db, { worker: id, count: 1, kinds: [name], newcomersOnly, atWork: [...atWork] })
        if (!job) break
        atWork.add(job.id)
        void queue.add(() => work(job))
      }
    }
  }

  async function work(job: JobRow): Promise<void> {
    const log2 = log.child({ job: job.id, kind: job.kind })
    const startedAt = Date.now()
    try {
      await handlers[job.kind as JobKind].run(job.payload, stopping.signal)
      await finishJob(db, job.id, id)
    } catch (error) {
      // A job that cannot be put back, on a full disk for one, is claimed again when its lease has run out.
      const attempts = Date.now() - startedAt < onTheWayMs ? job.attempts : 0
      await settle({ ...job, attempts }, error, log2).catch((failure) =>
        log2.error({ err: failure }, 'A job could not be put back.'),
      )
    }
    atWork.delete(job.id)
    wakeUp()
  }

  async function settle(job: JobRow, error: unknown, log2: Logger): Promise<void> {
    const { attempts } = job
    if (stopping.signal.aborted) return requeue(db, job, { delayMs: 0, error: null, attempts })
    // It gave its place up by itself: what failed before has passed.
    if (error instanceof RetryLater) return requeue(db, job, { delayMs: error.ms, error: null, attempts: 0 })
    const message = error instanceof Error ? error.message : String(error)
    log2.error({ err: error, attempt: attempts + 1 }, 'A job failed.')
    const { onGivenUp, retryMs } = handlers[job.kind as JobKind]
    const isLast = attempts + 1 >= maxAttempts
    if (error instanceof GiveUp || (isLast && retryMs === undefined)) {
      await onGivenUp?.(job.payload)
      return failJob(db, job, message)
    }
    const delayMs = isLast && retryMs !== undefined ? retryMs : 1_000 * 4 ** attempts
    return requeue(db, job, { delayMs, error: message, attempts: attempts + 1 })
  }

  async function idle(): Promise<void> {
    for (;;) {
      wakeUp()
      await looking
      await Promise.all([...queues.values()].map((queue) => queue.onIdle()))
      await look()
      if ([...queues.values()].every((queue) => queue.pending + queue.size === 0)) return
    }
  }

  async function stop(graceMs = 10_000): Promise<void> {
    stopping.abort()
    wakeUp()
    await loop
    const ended = Promise.all([...queues.values()].map((queue) => queue.onIdle()))
    await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
    clearInterval(beat)
    await unregisterWorker(db, id)
    runnersHere.delete(id)
  }

  return { wake: () => wakeUp(), idle, stop }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
