import * as argon2 from '@node-rs/argon2'
import PQueue from 'p-queue'
import { AppError } from '../../errors'

/** NIST SP 800-63B, 3.1.1.2: length counts, rules of composition do not. The maximum bounds the work of hashing. */
export const passwordLength = { min: 10, max: 256 } as const

/** OWASP's choice for argon2id, which is this library's default algorithm: 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
const longestLine = 100

/** At most two hashes are computed at once, so that a burst of sign-ins takes neither all memory nor all cores. */
export function createPasswords({ hash, verify }: Pick<typeof argon2, 'hash' | 'verify'> = argon2) {
  const queue = new PQueue({ concurrency: atOnce })
  // Made before it is wanted: the first guess at an account that does not exist takes no longer than others.
  const decoy = hash(crypto.randomUUID(), cost)
  decoy.catch(() => undefined)

  return {
    hash: (password: string): Promise<string> => run(() => hash(normalized(password), cost)),

    /** Takes as long for an account that does not exist (`stored` is null) as for one that does. */
    async matches(password: string, stored: string | null): Promise<boolean> {
      if (stored !== null) return run(() => verify(stored, normalized(password)))
      const against = await decoy
      await run(() => verify(against, normalized(password)))
      return false
    },
  }

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (queue.size >= longestLine)
      throw new AppError('unavailable', 'Too many people are signing in at this moment. Please try again in a minute.')
    return queue.add(work)
  }
}
export type Passwords = ReturnType<typeof createPasswords>

/** The same password typed on another keyboard gives the same characters. */
function normalized(password: string): string {
  return password.normalize('NFKC')
}
