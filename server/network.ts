import ipaddr from 'ipaddr.js'

/** The key that identifies a client: its IPv4 address, or its IPv6 /64, the usual prefix of one customer. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
