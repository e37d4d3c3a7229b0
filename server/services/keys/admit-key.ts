import { eq } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import type { Database } from '../../../db/database'
import { keychains } from '../../../db/schema/keychains'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { hashToken } from '../../tokens'
import { keyTypeOf } from './key-format'

/** Where a call with a key comes from. */
export interface KeyCall {
  key: string
  /** The `Origin` header, which browsers send. */
  origin: string | null
  ip: string
}

/** Limits the requests of one key. */
export interface KeyRate {
  /** Counts a request. Returns null, or the milliseconds to wait if the request exceeds the limit. */
  take(key: string, limit: number): number | null
}

export type AdmitKey = (call: KeyCall) => Promise<Extract<Actor, { kind: 'key' }>>

/**
 * Returns the actor of a call with an agent's key, and counts the call. Throws unauthenticated for an unknown key,
 * forbidden for an origin (public keys) or an address (private keys) that the keychain does not allow, and rate_limited.
 */
export function createAdmitKey({ db, rate }: { db: Database; rate: KeyRate }): AdmitKey {
  return async ({ key, origin, ip }) => {
    const keyType = keyTypeOf(key)
    const column = keyType === 'public' ? keychains.publicKey : keychains.privateKeyHash
    const value = keyType === 'public' ? key : hashToken(key)
    const [row] = keyType ? await db.read.select().from(keychains).where(eq(column, value)) : []
    if (!row || !keyType) {
      throw new AppError('unauthenticated', 'This key does not exist or was renewed. Copy the key from API Settings.')
    }
    if (keyType === 'public') assertOrigin(row.allowedOrigins, origin)
    else assertAddress(row.allowedIps, ip)
    const { agentId, organizationId, rateLimit } = row
    const waitMs = rate.take(`${keyType} ${agentId}`, rateLimit)
    if (waitMs !== null) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000)
      const message = `This key may send ${rateLimit} requests a minute. Try again in ${retryAfterSeconds} seconds.`
      throw new AppError('rate_limited', message, { details: { retryAfterSeconds } })
    }
    return { kind: 'key', keyType, organizationId, agentId }
  }
}

function assertOrigin(allowed: string, origin: string | null): void {
  const origins = entriesOf(allowed)
  if (origins.length === 0 || (origin !== null && origins.includes(origin))) return
  const from = origin === null ? 'calls without an Origin header' : `calls from ${origin}`
  throw new AppError('forbidden', `This public key does not accept ${from}. Add the origin in API Settings.`)
}

function assertAddress(allowed: string, ip: string): void {
  const networks = entriesOf(allowed)
  if (networks.length === 0 || networks.some((network) => isInNetwork(ip, network))) return
  throw new AppError('forbidden', `This private key does not accept calls from ${ip}. Add the address in API Settings.`)
}

function entriesOf(list: string): string[] {
  return list === '' ? [] : list.split(', ')
}

/** Whether an address is the entry, or is inside the entry's network. Takes IPv4 addresses in their IPv6 form, too. */
export function isInNetwork(ip: string, entry: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  const [network, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : [ipaddr.process(entry), null]
  if (address.kind() !== network.kind()) return false
  return bits === null ? address.toString() === network.toString() : address.match([network, bits])
}
