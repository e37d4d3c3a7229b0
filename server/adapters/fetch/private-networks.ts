import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Networks that no setting allows: link-local networks, addresses that name no host, and the metadata services that give
 * credentials to machines of cloud providers (some outside the link-local range).
 */
const forbiddenRanges = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
].map((range) => ipaddr.parseCIDR(range))

const publicIpv6 = ipaddr.parseCIDR('2000::/3')

/** 'refused' can be allowed by the operator, 'forbidden' cannot. */
export type NetworkVerdict = 'public' | 'allowed' | 'refused' | 'forbidden'

export interface NetworkGuard {
  /** Whether the operator allows this host, written as in a URL. */
  allowsHost(host: string): boolean
  /** Judges `address`, an IP literal to which `host` resolves. Text that is not an IP literal is refused. */
  judge(address: string, host: string): NetworkVerdict
}

/**
 * Decides which IP addresses may be reached. `allowed` holds hosts, IP addresses and CIDR ranges; 'all' opens every
 * private range. Link-local and metadata addresses stay closed.
 */
export function createNetworkGuard(allowed: string[] | 'all'): NetworkGuard {
  const hosts = new Set<string>()
  const ranges: [Address, number][] = []
  for (const entry of allowed === 'all' ? [] : allowed) {
    const text = entry.trim().replace(/^\[|\]$/g, '')
    if (ipaddr.isValidCIDR(text)) {
      ranges.push(ipaddr.parseCIDR(text))
      continue
    }
    if (isLiteral(text)) ranges.push([ipaddr.process(text), ipaddr.process(text).kind() === 'ipv4' ? 32 : 128])
    // A literal is also a host, because an address that embeds an IPv4 address is compared by the embedded one.
    if (text) hosts.add(plainHost(text))
  }

  return {
    allowsHost: (host) => hosts.has(plainHost(host)),
    judge(text, host) {
      const addresses = layersOf(text)
      if (addresses.length === 0) return 'refused'
      if (addresses.some((address) => isIn(address, forbiddenRanges))) return 'forbidden'
      if (addresses.every(isPublic)) return 'public'
      if (allowed === 'all' || hosts.has(plainHost(host))) return 'allowed'
      return addresses.some((address) => isIn(address, ranges)) ? 'allowed' : 'refused'
    },
  }
}

/** Normalizes a host for comparison: lower case, without brackets and the trailing dot. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

export function isLiteral(host: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)
}

/**
 * The address and the IPv4 address that it embeds. Translated (NAT64, RFC 6052) and relayed (6to4, RFC 3056) addresses
 * are judged by the embedded address alone, as is a mapped address. Teredo is not a public range. Empty unless the text
 * is an IP literal.
 */
function layersOf(text: string): Address[] {
  const host = plainHost(text)
  if (!isLiteral(host)) return []
  const address = ipaddr.process(host)
  if (!(address instanceof ipaddr.IPv6)) return [address]
  const [first = 0, second = 0, third = 0] = address.parts
  const bytes = address.toByteArray()
  const carries = (offset: number) => new ipaddr.IPv4(bytes.slice(offset, offset + 4))
  if (first === 0x2002) return [carries(2)]
  if (first === 0x64 && second === 0xff9b && address.parts.slice(2, 6).every((part) => part === 0)) return [carries(12)]
  // ::a.b.c.d and ::ffff:0:a.b.c.d are obsolete; some systems still route them to the IPv4 address.
  if (first === 0 && second === 0 && third === 0 && address.parts[6] !== 0) return [address, carries(12)]
  // ISATAP (RFC 5214): the last half of the address has the IPv4 address of the tunnel's end.
  const [, , , , fifth = 0, sixth] = address.parts
  if ((fifth & 0xfdff) === 0 && sixth === 0x5efe) return [address, carries(12)]
  return [address]
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv6 && !address.match(publicIpv6)) return false
  return address.range() === 'unicast'
}

function isIn(address: Address, ranges: [Address, number][]): boolean {
  return ranges.some((range) => range[0].kind() === address.kind() && address.match(range))
}
