import ipaddr from 'ipaddr.js'

export interface BurstLimiter {
  /** Counts an attempt. Null if it may be made, otherwise the seconds to wait. */
  take(key: string): Promise<number | null>
  forget(key: string): Promise<void>
}

/** `burst` attempts in `burstSeconds` at any pace, after that one in `everySeconds`. */
export type CreateBurstLimiter = (rate: { burst: number; burstSeconds: number; everySeconds: number }) => BurstLimiter

/** What a client is counted by: an IPv4 address, or the /64 that an IPv6 customer gets. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
