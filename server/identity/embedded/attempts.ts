import ipaddr from 'ipaddr.js'
import { normalizeEmail } from '../../../contract/email'

export interface AttemptCounter {
  take(key: string): Promise<number | null>
  forget(key: string): Promise<void>
}
export type CountAttempts = (options: { points: number; seconds: number }) => AttemptCounter

const quarterHour = 900

/** Bounds how often passwords can be guessed: by who asks, and by whose account is asked for. */
export function createAttempts(count: CountAttempts) {
  const byAddress = count({ points: 30, seconds: quarterHour })
  const byAccount = count({ points: 10, seconds: quarterHour })

  return {
    /** Null when the attempt may be made, otherwise the seconds to wait. */
    async take(ip: string, email: string): Promise<number | null> {
      return (await byAddress.take(network(ip))) ?? (await byAccount.take(normalizeEmail(email)))
    },
    /** A right password clears the account's count, so that only wrong ones add up. */
    async succeeded(email: string): Promise<void> {
      await byAccount.forget(normalizeEmail(email))
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>

/** An IPv6 customer holds a whole /64. */
function network(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
