import ipaddr from 'ipaddr.js'
import { ConfigError } from './config-error'

/** Names that Express accepts for groups of private networks, in addition to addresses. */
const proxyNames = ['loopback', 'linklocal', 'uniquelocal']

/** Reads TRUSTED_PROXIES: addresses, ranges, and names of Express. Throws ConfigError for anything else. */
export function trustedProxies(entries: string[]): string[] {
  const wrong = entries.find((entry) => !proxyNames.includes(entry) && !isAddress(entry) && !isRange(entry))
  if (wrong !== undefined)
    throw new ConfigError(
      `TRUSTED_PROXIES: '${wrong}' is not an IP address, a CIDR such as 10.0.0.0/8, or one of ${proxyNames.join(', ')}.`,
    )
  return entries
}

function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}

function isRange(text: string): boolean {
  const [address = ''] = text.split('/')
  // A range of everything would let anybody say who they are.
  return isAddress(address) && ipaddr.isValidCIDR(text) && ipaddr.parseCIDR(text)[1] > 0
}

/** Reads CRAWL_ALLOW_PRIVATE_NETWORKS: hosts, addresses and ranges, or 'all' for 1. Throws ConfigError for anything else. */
export function privateNetworks(entries: string[]): string[] | 'all' {
  // Taken as the name of a host, the word would allow nothing, and say nothing.
  const word = entries.find((entry) => /^(all|any|true|yes|on|enabled?|\*|none|false|no|off|disabled?)$/i.test(entry))
  if (word !== undefined)
    throw new ConfigError(
      `CRAWL_ALLOW_PRIVATE_NETWORKS: '${word}' is no host or range. Use 1 to allow all private networks, nothing to allow none, or names and ranges such as intranet.example, 10.0.0.0/8.`,
    )
  const wrong = entries.find((entry) => entry.includes('/') && !ipaddr.isValidCIDR(entry))
  if (wrong !== undefined)
    throw new ConfigError(
      `CRAWL_ALLOW_PRIVATE_NETWORKS: '${wrong}' is not a CIDR. Name hosts, addresses, or ranges such as 10.0.0.0/8.`,
    )
  return entries.length === 1 && entries[0] === '1' ? 'all' : entries.filter((entry) => entry !== '0')
}
