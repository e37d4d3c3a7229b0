export interface StoredArchive {
  name: string
  bytes: number
}

/** Where the archives of backups are kept. */
export interface ArchiveStore {
  /** Stores a file under a name, and reads it back to compare it. The file may be gone afterwards. Rejects with a reason. */
  put(name: string, file: string, signal: AbortSignal): Promise<void>
  /** All files, in any order. */
  list(): Promise<StoredArchive[]>
  remove(name: string): Promise<void>
  close(): Promise<void>
}

/** Writes an archive of the data folder, and verifies it. `target` must not exist. */
export type BackUp = (
  request: { dataDir: string; databaseFile: string; target: string; version: string },
  signal: AbortSignal,
) => Promise<{ bytes: number; created_at: string }>
