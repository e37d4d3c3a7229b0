import { normalizeEmail } from '../../../contract/email'
import { type CreateBurstLimiter, networkOf } from '../burst-limiter'

const quarterHour = 900

/**
 * Slows down guessing: by the client's network, and by network and account together. Guesses from elsewhere do not keep
 * anybody out of their own account.
 */
export function createAttempts(createLimiter: CreateBurstLimiter) {
  const byNetwork = createLimiter({ burst: 50, burstSeconds: quarterHour, everySeconds: 10 })
  const byAccount = createLimiter({ burst: 10, burstSeconds: quarterHour, everySeconds: 30 })

  return {
    /** Null if the attempt may be made, otherwise the seconds to wait. */
    async take(ip: string, email: string): Promise<number | null> {
      return (await byAccount.take(keyOf(ip, email))) ?? (await byNetwork.take(networkOf(ip)))
    },
    /** Forgets the wrong guesses of this client: it has proved that the account is its own. */
    async succeeded(ip: string, email: string): Promise<void> {
      await byAccount.forget(keyOf(ip, email))
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>

function keyOf(ip: string, email: string): string {
  return `${networkOf(ip)} ${normalizeEmail(email)}`
}
