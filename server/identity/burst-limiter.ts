import ipaddr from 'ipaddr.js'

export interface BurstLimiter {
  /** Counts an attempt. Returns null if it is allowed, otherwise the seconds to wait. */
  take(key: string): Promise<number | null>
  forget(key: string): Promise<void>
}

/** Allows `burst` attempts in `burstSeconds`, then one attempt per `everySeconds`. */
export type CreateBurstLimiter = (rate: { burst: number; burstSeconds: number; everySeconds: number }) => BurstLimiter

/** The key that identifies a client: its IPv4 address, or its IPv6 /64, the usual prefix of one customer. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
