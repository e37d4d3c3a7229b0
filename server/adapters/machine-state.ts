import { readFile, stat, statfs } from 'node:fs/promises'
import { freemem, totalmem } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { MachineState } from '../../contract/views/health'

interface Deps {
  dataDir: string
  databaseSize(): Promise<Pick<MachineState['database'], 'kind' | 'bytes' | 'wal_bytes'>>
  version: string
  /** What is known to be damaged in the database. */
  damage(): string | null
  /** File in the data folder in which a backup leaves its time and size. */
  lastBackupName: string
}

const sampleMs = 200

export type StorageState = Pick<MachineState, 'disk' | 'database' | 'last_backup'>

export function createMachineState({ dataDir, databaseSize, version, damage, lastBackupName }: Deps) {
  /** Reads what the installation stores and how much room is left. */
  async function storageState(): Promise<StorageState> {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    return {
      disk: { free: bavail * bsize, total: blocks * bsize },
      database: { ...(await databaseSize()), damage: damage() },
      last_backup: await lastBackup(join(dataDir, lastBackupName)),
    }
  }

  /** Reads how the process and the machine are. Takes as long as it measures the event loop. */
  async function machineState(): Promise<MachineState> {
    const { rss, heapUsed } = process.memoryUsage()
    return {
      version,
      node: process.version,
      pid: process.pid,
      started_at: new Date(Math.round(performance.timeOrigin)).toISOString(),
      event_loop: await eventLoop(),
      memory: { resident: rss, heap: heapUsed, machine_free: freemem(), machine_total: totalmem() },
      ...(await storageState()),
    }
  }

  return { machineState, storageState }
}

async function eventLoop(): Promise<MachineState['event_loop']> {
  const histogram = monitorEventLoopDelay({ resolution: 10 })
  histogram.enable()
  await sleep(sampleMs)
  histogram.disable()
  // The histogram counts the resolution of its timer as delay.
  const delay = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e6 - 10))
  const { utilization } = performance.eventLoopUtilization()
  return { delay_median: delay(histogram.percentile(50)), delay_max: delay(histogram.max), utilization }
}

/** Bytes of the file of a database and of its write-ahead log. */
export async function sqliteSize(file: string): Promise<{ kind: 'sqlite'; bytes: number; wal_bytes: number }> {
  return { kind: 'sqlite', bytes: await sizeOf(file), wal_bytes: await sizeOf(`${file}-wal`) }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

const lastBackupSchema = z.object({
  created_at: z.iso.datetime(),
  bytes: z.number().int().min(0),
  verified: z.boolean().default(false),
})

/** Null without a backup, and if its note is damaged. */
async function lastBackup(file: string): Promise<MachineState['last_backup']> {
  try {
    return lastBackupSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}
