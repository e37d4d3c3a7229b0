import PQueue from 'p-queue'

export interface Mutex {
  /** Waits for its turn, in the order of the calls. Resolves to the function that releases the mutex. */
  acquire(): Promise<() => void>
}

export function createMutex(): Mutex {
  const queue = new PQueue({ concurrency: 1 })
  return {
    acquire: () => new Promise((resolve) => void queue.add(() => new Promise<void>((release) => resolve(release)))),
  }
}
