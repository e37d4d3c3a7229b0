import type { BackUp } from '../../engine/ports/archive-store'
import { createThreadPool } from '../threads/thread-pool'

export type BackupRequest = Parameters<BackUp>[0]

/** Makes archives in a thread, which ends when it has nothing to do: copying the database blocks it for seconds. */
export function createBackupThread(): { backUp: BackUp; close(): Promise<void> } {
  const pool = createThreadPool<BackupRequest, Awaited<ReturnType<BackUp>>>({
    thread: 'back-up',
    data: {},
    size: 1,
    idleMs: 1_000,
  })
  return { backUp: (request, signal) => pool.run(request, { signal }), close: pool.close }
}
