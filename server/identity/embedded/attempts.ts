import { normalizeEmail } from '../../../contract/values/email'
import { networkOf } from '../../network'
import type { CreateBurstLimiter } from '../burst-limiter'

const quarterHourSeconds = 900

/**
 * Limits attempts to guess a password: per network, and per network and account. Attempts from one network never lock an
 * account for others.
 */
export function createAttempts(createLimiter: CreateBurstLimiter) {
  const byNetwork = createLimiter({
    name: 'sign-in network',
    burst: 50,
    burstSeconds: quarterHourSeconds,
    everySeconds: 10,
  })
  const byAccount = createLimiter({
    name: 'sign-in account',
    burst: 10,
    burstSeconds: quarterHourSeconds,
    everySeconds: 30,
  })

  return {
    /** Counts an attempt. Returns null if it is allowed, otherwise the seconds to wait. */
    async take(ip: string, email: string): Promise<number | null> {
      return (await byAccount.take(keyOf(ip, email))) ?? (await byNetwork.take(networkOf(ip)))
    },
    /** Resets the count of this client for its account after a successful sign-in. */
    async succeeded(ip: string, email: string): Promise<void> {
      await byAccount.forget(keyOf(ip, email))
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>

function keyOf(ip: string, email: string): string {
  return `${networkOf(ip)} ${normalizeEmail(email)}`
}
