import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { Logger } from 'pino'
import type { Database } from '../db/database'
import type { Signals } from '../server/engine/ports/signals'
import { GiveUp, RetryLater } from '../server/errors'
import { claimJob } from '../server/services/jobs/claim-job'
import {
  failJob,
  finishJob,
  isStillClaimed,
  type JobKind,
  type JobRow,
  leaseMs,
  requeue,
} from '../server/services/jobs/jobs'
import { heartbeat, isLeader, registerWorker, unregisterWorker } from '../server/services/jobs/workers'

/** Runs one job. `signal` aborts when the process stops: the job should end soon, and another process runs it again. */
export type JobHandler = (payload: Record<string, string>, signal: AbortSignal) => Promise<void>

export interface RunnerOptions {
  db: Database
  log: Logger
  /** The command line runs jobs itself unless it finds a 'server'. */
  kind: 'server' | 'cli'
  /** Kinds without one are left to other processes. */
  handlers: Partial<Record<JobKind, KindHandler>>
  /** Identifies the machine whose process ids are known here: see `processIdSpace`. */
  machine: string
  /** Whether several servers may run jobs of this database. */
  isShared: boolean
  /** Tells that a job waits. */
  signals: Pick<Signals, 'on'>
}

export interface KindHandler {
  run: JobHandler
  /** Maximum number of concurrent jobs of this kind. */
  concurrency: number
  /** Additional slots for organizations without a running job of this kind, because jobs of others may take long. */
  reserved?: number
  /** Called before a job fails for good, so that nobody waits for it forever. May be called again. */
  onGiveUp?(payload: Record<string, string>): Promise<void>
  /** Jobs of this kind never fail for good: they are retried after this delay. */
  retryMs?: number
  /** Attempts before a job fails for good; 5 by default. Each waits four times as long as the one before. */
  maxAttempts?: number
}

export interface Runner {
  /** Looks for jobs now instead of at the next poll. */
  wake(): void
  /** Whether this is the oldest of the servers that run jobs, which does what one of them has to do. */
  isLeader(): Promise<boolean>
  /** Resolves when no job is due or running. */
  idle(): Promise<void>
  /** Lets running jobs end for at most `graceMs`, releases the others, and unregisters. */
  stop(graceMs?: number): Promise<void>
}

const runnersInProcess = new Set<string>()
const pollMs = 500
const defaultMaxAttempts = 5
/** A job that worked for this long before it failed made progress: its earlier attempts do not count. */
const progressMs = 600_000

/** The jobs table is the queue; p-queue bounds how many run at once. */
export async function startRunner({
  db,
  log,
  kind,
  handlers,
  machine,
  isShared,
  signals,
}: RunnerOptions): Promise<Runner> {
  const id = randomUUID()
  const stopping = new AbortController()
  // Each request and each turn that a job waits for adds a listener.
  setMaxListeners(0, stopping.signal)
  const running = new Set<string>()
  const queues = new Map(
    Object.entries(handlers).map(([name, { concurrency, reserved = 0 }]) => {
      return [name as JobKind, new PQueue({ concurrency: concurrency + reserved })]
    }),
  )
  /** Jobs that this runner has claimed since its start. */
  let claimed = 0
  let wakeUp: () => void = () => {}
  let polling: Promise<void> = Promise.resolve()

  runnersInProcess.add(id)
  // After a restart of a container, the dead process had the same process id.
  const isDead = (item: { id: string; hostname: string; pid: number }) =>
    item.hostname === machine && !runnersInProcess.has(item.id) && (item.pid === process.pid || !isAlive(item.pid))
  await registerWorker(db, { id, hostname: machine, pid: process.pid, kind }, isDead)
  const beat = setInterval(
    () => void heartbeat(db, id, [...running]).catch((error) => log.error({ err: error }, 'A heartbeat failed.')),
    leaseMs / 3,
  )
  const endWaking = signals.on('jobs', () => wakeUp())
  const loop = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      polling = poll().catch((error) => log.error({ err: error }, 'Looking for jobs failed.'))
      await polling
      await pause()
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, stopping.signal.aborted ? 0 : pollMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function poll(): Promise<void> {
    for (const [name, queue] of queues) {
      // One at a time, because the running jobs decide whose job is next.
      for (let used = queue.pending + queue.size; used < queue.concurrency; used = queue.pending + queue.size) {
        const newcomersOnly = used >= (handlers[name]?.concurrency ?? 0)
        const job = await claimJob(db, { worker: id, kind: name, newcomersOnly, excludedIds: [...running] })
        if (!job) break
        claimed++
        running.add(job.id)
        void queue.add(() => work(job))
      }
    }
  }

  async function work(job: JobRow): Promise<void> {
    const jobLog = log.child({ job: job.id, kind: job.kind })
    const startedAt = Date.now()
    try {
      await handlers[job.kind as JobKind]?.run(job.payload, stopping.signal)
      await finishJob(db, job.id, id)
    } catch (error) {
      const attempts = Date.now() - startedAt < progressMs ? job.attempts : 0
      // A job that cannot be released, on a full disk for example, is claimed again when its lease expires.
      await release({ ...job, attempts }, error, jobLog).catch((failure) =>
        jobLog.error({ err: failure }, 'A job could not be released.'),
      )
    }
    running.delete(job.id)
    wakeUp()
  }

  async function release(job: JobRow, error: unknown, jobLog: Logger): Promise<void> {
    const { attempts } = job
    if (stopping.signal.aborted) return requeue(db, job, { delayMs: 0, error: null, attempts })
    // A job that leaves its slot made progress.
    if (error instanceof RetryLater) return requeue(db, job, { delayMs: error.ms, error: null, attempts: 0 })
    const message = error instanceof Error ? error.message : String(error)
    jobLog.error({ err: error, attempt: attempts + 1 }, 'A job failed.')
    const { onGiveUp, retryMs, maxAttempts = defaultMaxAttempts } = handlers[job.kind as JobKind] ?? {}
    const isLast = attempts + 1 >= maxAttempts
    if (error instanceof GiveUp || (isLast && retryMs === undefined)) {
      // Another worker may have taken it, and is at work.
      if (await isStillClaimed(db, job)) await onGiveUp?.(job.payload)
      return failJob(db, job, message)
    }
    const delayMs = isLast && retryMs !== undefined ? retryMs : 1_000 * 4 ** attempts
    return requeue(db, job, { delayMs, error: message, attempts: attempts + 1 })
  }

  async function idle(): Promise<void> {
    for (;;) {
      wakeUp()
      await polling
      await Promise.all([...queues.values()].map((queue) => queue.onIdle()))
      const before = claimed
      await poll()
      await polling
      // A job that was claimed meanwhile may have ended, and be due again.
      if (claimed === before && [...queues.values()].every((queue) => queue.pending + queue.size === 0)) return
    }
  }

  async function stop(graceMs = 10_000): Promise<void> {
    stopping.abort()
    wakeUp()
    await loop
    const ended = Promise.all([...queues.values()].map((queue) => queue.onIdle()))
    await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
    clearInterval(beat)
    endWaking()
    await unregisterWorker(db, id)
    runnersInProcess.delete(id)
  }

  return { wake: () => wakeUp(), isLeader: async () => !isShared || isLeader(db.read, id), idle, stop }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
