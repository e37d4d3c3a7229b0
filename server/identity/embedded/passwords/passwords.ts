import * as argon2 from '@node-rs/argon2'
import PQueue from 'p-queue'
import { AppError } from '../../../errors'

/** OWASP's parameters for argon2id, the default algorithm of this library: 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const maxConcurrent = 2
const maxQueued = 100

/** Computes at most two hashes at once, so that a burst of sign-ins leaves memory and cores to others. */
export function createPasswords({ hash, verify }: Pick<typeof argon2, 'hash' | 'verify'> = argon2) {
  const queue = new PQueue({ concurrency: maxConcurrent })
  // Computed in advance, so that the first attempt at an unknown account takes no longer than others.
  const decoy = hash(crypto.randomUUID(), cost)
  decoy.catch(() => undefined)

  return {
    hash: (password: string): Promise<string> => run(() => hash(normalized(password), cost)),

    /** Takes the same time for an unknown account (`stored` is null) as for an existing one. */
    async matches(password: string, stored: string | null): Promise<boolean> {
      if (stored !== null) return run(() => verify(stored, normalized(password)))
      const decoyHash = await decoy
      await run(() => verify(decoyHash, normalized(password)))
      return false
    },
  }

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (queue.size >= maxQueued)
      throw new AppError('unavailable', 'Too many people are signing in. Try again in a minute.')
    return queue.add(work)
  }
}
export type Passwords = ReturnType<typeof createPasswords>

/** Makes a password independent of how the keyboard composes its characters. */
function normalized(password: string): string {
  return password.normalize('NFKC')
}
