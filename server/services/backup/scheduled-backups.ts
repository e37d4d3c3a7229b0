import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ArchiveStore, BackUp } from '../../engine/ports/archive-store'
import { type DataFolder, inStaging } from './backup-parts'
import { noteBackup } from './pack'

export interface ScheduledBackupDeps extends DataFolder {
  version: string
  /** Null without a schedule. */
  plan: { next(after: Date): Date | null; keep: number } | null
  backUp: BackUp
  archives: ArchiveStore | null
  onFailure(): void
  log: Record<'info' | 'error', (details: object, message: string) => void>
}

export interface BackupState {
  /** When the next backup is due; null without a schedule. */
  next_at: string | null
  /** Why the last attempt failed; null if it did not. */
  failure: { at: string; message: string } | null
}

/** File of the data folder with the time of the last attempt, and why it failed. */
const attemptFileName = 'last-backup-attempt.json'
const attemptSchema = z.object({ at: z.iso.datetime(), failure: z.string().nullable() })
type Attempt = z.infer<typeof attemptSchema>

/** A failed backup is tried again after this time, unless the schedule is earlier. */
const retryMs = 3_600_000
const archiveName = /^sitelore-backup-\d{4}-\d{2}-\d{2}-\d{6}\.tar\.gz$/

/** Makes backups at the times of a schedule, verifies and stores them, and deletes the oldest. */
export function createScheduledBackups(deps: ScheduledBackupDeps) {
  const { dataDir, databaseFile, version, plan, backUp, archives, onFailure, log } = deps
  const attemptFile = join(dataDir, attemptFileName)
  let isRunning = false

  /** Makes a backup if one is due. A start counts as an attempt, so that the first is at the next time of the schedule. */
  async function runDue(signal: AbortSignal, now = new Date()): Promise<void> {
    if (!plan || !archives || isRunning) return
    isRunning = true
    try {
      const last = await readAttempt()
      if (!last) await writeAttempt({ at: now.toISOString(), failure: null })
      else if (now >= dueAt(last, plan)) await attempt(archives, plan.keep, signal, now)
    } finally {
      isRunning = false
    }
  }

  async function attempt(store: ArchiveStore, keep: number, signal: AbortSignal, now: Date): Promise<void> {
    const startedAt = now.toISOString()
    try {
      const report = await make(store, keep, signal, now)
      await writeAttempt({ at: startedAt, failure: null })
      log.info(report, 'A backup was made and verified.')
    } catch (error) {
      // A server that stops makes the backup after its next start.
      if (signal.aborted) return
      await writeAttempt({ at: startedAt, failure: error instanceof Error ? error.message : String(error) })
      onFailure()
      log.error({ err: error }, 'A scheduled backup failed.')
    }
  }

  async function make(store: ArchiveStore, keep: number, signal: AbortSignal, now: Date) {
    return inStaging(dataDir, now, async (folder) => {
      const name = `sitelore-backup-${stampOf(now)}.tar.gz`
      const target = join(folder, name)
      const { bytes, created_at } = await backUp({ dataDir, databaseFile, target, version }, signal)
      await store.put(name, target, signal)
      await noteBackup(dataDir, { created_at, bytes, verified: true })
      const removed = await prune(store, keep)
      return { name, bytes, removed }
    })
  }

  async function state(now = new Date()): Promise<BackupState> {
    const last = plan && (await readAttempt())
    return {
      next_at: plan ? (later(last ? dueAt(last, plan) : plan.next(now), now)?.toISOString() ?? null) : null,
      failure: last?.failure ? { at: last.at, message: last.failure } : null,
    }
  }

  async function readAttempt(): Promise<Attempt | null> {
    try {
      return attemptSchema.parse(JSON.parse(await readFile(attemptFile, 'utf8')))
    } catch {
      return null
    }
  }

  function writeAttempt(attempt: Attempt): Promise<void> {
    return writeFile(attemptFile, `${JSON.stringify(attempt)}\n`, { mode: 0o600 })
  }

  return { runDue, state }
}

/** When the attempt after this one is due. */
function dueAt({ at, failure }: Attempt, { next }: NonNullable<ScheduledBackupDeps['plan']>): Date {
  const last = new Date(at)
  const planned = next(last)?.getTime() ?? Number.POSITIVE_INFINITY
  return new Date(failure === null ? planned : Math.min(planned, last.getTime() + retryMs))
}

function later(date: Date | null, now: Date): Date | null {
  return date && new Date(Math.max(date.getTime(), now.getTime()))
}

/** Deletes the oldest archives beyond `keep`, and no other file. */
async function prune(store: ArchiveStore, keep: number): Promise<string[]> {
  const names = (await store.list()).map(({ name }) => name).filter((name) => archiveName.test(name))
  const removed = names.sort().reverse().slice(keep)
  for (const name of removed) await store.remove(name)
  return removed
}

/** '2026-01-31-235959': names sort by time. */
export function stampOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
}
