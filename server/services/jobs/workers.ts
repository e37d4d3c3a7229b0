import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../../db/database'
import { jobs, workers } from '../../../db/schema/jobs'
import { leaseMs } from './jobs'

/** What identifies a process that runs jobs. */
interface WorkerProcess {
  id: string
  hostname: string
  pid: number
}

/** Registers this process, and releases the jobs of workers that are known to be dead before their leases expire. */
export async function registerWorker(
  database: Database,
  worker: WorkerProcess & { kind: 'server' | 'cli' },
  isDead: (second: WorkerProcess) => boolean,
): Promise<void> {
  const others = await database.read.select().from(workers)
  const dead = others.filter((item) => isDead(item))
  await database.write(async (tx) => {
    for (const { id } of dead) await removeWorker(tx, id)
    await tx.insert(workers).values({ ...worker, heartbeatAt: new Date() })
  })
}

export async function unregisterWorker(database: Database, id: string): Promise<void> {
  await database.write((tx) => removeWorker(tx, id))
}

/** Removes a worker. Its jobs stay running with an expired lease, because a job of the same key may be queued. */
async function removeWorker(tx: Transaction, id: string): Promise<void> {
  await tx
    .update(jobs)
    .set({ leasedUntil: new Date(0) })
    .where(and(eq(jobs.worker, id), eq(jobs.status, 'running')))
  await tx.delete(workers).where(eq(workers.id, id))
}

/**
 * Renews the leases of the jobs that the worker is running, and shows that the worker is alive. Each is one statement, so a
 * heartbeat never waits for the retry of a transaction.
 */
export async function heartbeat(database: Database, worker: string, jobIds: string[], now = new Date()): Promise<void> {
  if (jobIds.length > 0) {
    const isOwn = and(eq(jobs.worker, worker), eq(jobs.status, 'running'), inArray(jobs.id, jobIds))
    const leasedUntil = new Date(now.getTime() + leaseMs)
    await database.writeOne((tx) => tx.update(jobs).set({ leasedUntil }).where(isOwn), { isReserved: true })
  }
  await database.writeOne((tx) => tx.update(workers).set({ heartbeatAt: now }).where(eq(workers.id, worker)), {
    isReserved: true,
  })
}

/** Whether a worker is the oldest server with a heartbeat, of which there is one unless a heartbeat is late. */
export async function isLeader(queries: Queries, id: string, now = Date.now()): Promise<boolean> {
  const alive = and(eq(workers.kind, 'server'), sql`${workers.heartbeatAt} > ${now - leaseMs}`)
  const oldest = queries.select({ id: workers.id }).from(workers).where(alive)
  const [leader] = await oldest.orderBy(asc(workers.startedAt), asc(workers.id)).limit(1)
  return leader?.id === id
}

/** Whether a server runs jobs on this database. */
export async function isServerAlive(queries: Queries, now = Date.now()): Promise<boolean> {
  return (await countWorkers(queries, now)) > 0
}

/** Servers with a heartbeat that run jobs. */
export function countWorkers(queries: Queries, now = Date.now()): Promise<number> {
  return queries.$count(workers, and(eq(workers.kind, 'server'), sql`${workers.heartbeatAt} > ${now - leaseMs}`))
}
