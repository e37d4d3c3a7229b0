import ipaddr from 'ipaddr.js'

/** What is kept of a visitor's address: all of it, its network, or nothing. */
export type VisitorIp = 'full' | 'short' | 'off'

/** Bits of the networks: as many as the anonymization of web analytics leaves. */
const networkBits = { ipv4: 24, ipv6: 48 }

/** Returns the address to store, in its normal form: for 'short', the first address of its /24 or /48. */
export function storedIp(ip: string | null, kept: VisitorIp): string | null {
  if (ip === null || kept === 'off' || !ipaddr.isValid(ip)) return null
  const address = ipaddr.process(ip)
  if (kept === 'full') return address.toString()
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${networkBits.ipv4}`).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${networkBits.ipv6}`).toString()
}
