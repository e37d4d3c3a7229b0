/** Folder of incomplete files, among the others. */
export const incomingFolderName = 'incoming'

/** Names the installation whose files these are, among them. */
export const ownerFileName = 'installation'

/** Files cannot be stored. `message` is one line that says why and what to do. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError'
}

/** Stores files under ids: on this machine, or where all processes of an installation reach them. */
export interface FileStore {
  /** Folder on this machine for files that are not complete. */
  readonly incomingFolder: string
  /** Throws FileStoreError if files cannot be stored. */
  assertUsable(): Promise<void>
  /** Notes whose files these are. Throws FileStoreError if they are those of another installation. */
  claim(installationId: string): Promise<void>
  /** Moves a complete file into the store, where it outlasts a loss of power. */
  put(id: string, path: string): Promise<void>
  /** Ignores a missing file. */
  remove(id: string): Promise<void>
  /** Rejects if the file is missing. */
  read(id: string): Promise<AsyncIterable<Uint8Array>>
  /** A file on this machine with the same content, until it is released. Rejects if the file is missing. */
  open(id: string): Promise<LocalFile>
  list(): AsyncIterable<{ id: string; modifiedAt: Date }>
  close(): Promise<void>
}

/** Throws FileStoreError unless the installation owns the store: sweeping that of another would delete all of its files. */
export function assertOwner(owner: string, installationId: string): void {
  if (owner === installationId) return
  throw new FileStoreError(
    'FILES: these are the files of another installation. Name another folder, or another prefix of the bucket.',
  )
}

export interface LocalFile {
  path: string
  release(): Promise<void>
}

/** Returns the ids of all files in a store. */
export async function storedIds(store: FileStore): Promise<Set<string>> {
  const ids = new Set<string>()
  for await (const { id } of store.list()) ids.add(id)
  return ids
}
