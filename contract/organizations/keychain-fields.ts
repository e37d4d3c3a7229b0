import { dailyMessages, keyRates } from '../values/limits'
import { parseUrl } from '../values/url'

/** The rules of the fields of a keychain. Without zod, because the page checks them while they are typed. */

const maxEntries = 100
const maxListLength = 8_000

export type ListResult = { list: string } | { problem: string }

interface ListRules {
  what: string
  /** Returns an entry in the form in which it is compared; null for anything else. */
  normalize(entry: string): string | null
  problem(entry: string): string
}

const origins: ListRules = {
  what: 'Allowed origins',
  normalize: normalizeOrigin,
  problem: (entry) =>
    `${entry} is not an origin. Write scheme and host without a path, such as https://www.example.com`,
}

const networks: ListRules = {
  what: 'Allowed IPs',
  normalize: normalizeNetwork,
  problem: (entry) => `${entry} is not an IP address or network. Enter one such as 203.0.113.7 or 203.0.113.0/24`,
}

/** Return the comma-separated list normalized and without duplicates, empty for no filter, or what is wrong with it. */
export const parseAllowedOrigins = (list: string) => parseList(origins, list)
export const parseAllowedIps = (list: string) => parseList(networks, list)

function parseList({ what, normalize, problem }: ListRules, list: string): ListResult {
  if (list.length > maxListLength) return { problem: `${what} can have at most ${maxListLength} characters` }
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  if (entries.length > maxEntries) return { problem: `${what} can have at most ${maxEntries} entries` }
  const normalized = new Set<string>()
  for (const entry of entries) {
    const known = normalize(entry)
    if (known === null) return { problem: problem(entry) }
    normalized.add(known)
  }
  return { list: [...normalized].join(', ') }
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** Returns an address or a network in CIDR notation, of IPv4 or IPv6; null for anything else. */
export function normalizeNetwork(entry: string): string | null {
  const lower = entry.toLowerCase()
  // A caller is compared in the IPv4 form.
  if (lower.startsWith('::ffff:')) return null
  const [address = '', bits, ...rest] = lower.split('/')
  const maxBits = ipv4.test(address) ? 32 : isIpv6(address) ? 128 : -1
  const isNetwork = bits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= maxBits)
  return maxBits > 0 && isNetwork && rest.length === 0 ? lower : null
}

function isIpv6(address: string): boolean {
  return /^[0-9a-f:.]+$/.test(address) && parseUrl(`http://[${address}]/`) !== null
}

/** Returns an origin as browsers send it, such as https://shop.example; null for anything else. */
export function normalizeOrigin(entry: string): string | null {
  if (!/^https?:\/\/[^\s/?#@\\]+\/?$/i.test(entry)) return null
  const url = parseUrl(entry)
  return url === null || url.hostname.includes('*') ? null : url.origin
}

export const rateText = `Rate limit is a whole number from ${keyRates.min} to ${keyRates.max}`
export const dailyText = `Daily messages is a whole number from ${dailyMessages.min} to ${dailyMessages.max}, or empty for no limit`

/** The fields of the form on API Settings. */
export type KeychainFields = Record<'allowedOrigins' | 'allowedIps' | 'rateLimit' | 'dailyMessages', string>

/** Returns what is wrong with each field of the form. */
export function keychainProblems(fields: Partial<KeychainFields>): Partial<Record<keyof KeychainFields, string>> {
  const lists = {
    allowedOrigins: parseAllowedOrigins(fields.allowedOrigins ?? ''),
    allowedIps: parseAllowedIps(fields.allowedIps ?? ''),
  }
  const problems: Partial<Record<keyof KeychainFields, string>> = {}
  for (const name of ['allowedOrigins', 'allowedIps'] as const) {
    const result = lists[name]
    if ('problem' in result) problems[name] = result.problem
  }
  if (!isWhole(fields.rateLimit ?? '', keyRates)) problems.rateLimit = rateText
  const daily = fields.dailyMessages?.trim() ?? ''
  if (daily !== '' && !isWhole(daily, dailyMessages)) problems.dailyMessages = dailyText
  return problems
}

function isWhole(text: string, { min, max }: { min: number; max: number }): boolean {
  return /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
}
