import { eq } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import type { Database } from '../../../db/database'
import { keychains } from '../../../db/schema/keychains'
import type { Actor } from '../../actor'
import { AppError, type RateState } from '../../errors'
import { networkOf } from '../../network'
import { hashToken } from '../../tokens'
import { type RateWindow, takeRate } from '../usage/request-rates'
import { entriesOf, keyTypeOf } from './key-format'
import { recordRefusedOrigin } from './refused-origins'

/** Where a call with a key comes from. */
export interface KeyCall {
  key: string
  /** The `Origin` header, which browsers send. */
  origin: string | null
  ip: string
  /** Whether a page of this server calls, which every public key accepts: previews work without a setting. */
  isOwnPage?: boolean
  /** Whether the request was counted before, such as one with an open stream. */
  isRecheck?: boolean
}

export interface KeyAdmission {
  actor: Extract<Actor, { kind: 'key' }>
  /** What is left of the key's requests a minute; null for a request that is not counted. */
  rate: RateState | null
  /** Takes the request off the key's count, because it was rejected. It still counts toward its network's share. */
  refund(): void
}

/** Share of a public key's requests a minute that one network may send. */
const maxShareOfNetwork = 1 / 4

export type AdmitKey = (call: KeyCall) => Promise<KeyAdmission>

/**
 * Returns the actor of a call with an agent's key, and counts the call unless `isRecheck`. Throws unauthenticated for an
 * unknown key, forbidden for an origin (public keys) or an address (private keys) that the keychain does not allow, and
 * rate_limited. One network has a share of a public key's requests, so that it cannot use them up for everybody else.
 */
export function createAdmitKey({ db, rate }: { db: Database; rate: RateWindow }): AdmitKey {
  return async ({ key, origin, ip, isOwnPage = false, isRecheck = false }) => {
    const keyType = keyTypeOf(key)
    const column = keyType === 'public' ? keychains.publicKey : keychains.privateKeyHash
    const value = keyType === 'public' ? key : hashToken(key)
    const [row] = keyType ? await db.read.select().from(keychains).where(eq(column, value)) : []
    if (!row || !keyType) {
      throw new AppError(
        'unauthenticated',
        'This key does not exist or was regenerated. Copy the key from API Settings.',
      )
    }
    const { agentId, organizationId, rateLimit } = row
    if (keyType === 'private') {
      assertAddress(row.allowedIps, ip)
    } else if (!isOwnPage && !isAllowedOrigin(row.allowedOrigins, origin)) {
      if (origin !== null && !isRecheck) await recordRefusedOrigin(db, agentId, origin)
      throw originNotAllowed(origin)
    }
    const actor = { kind: 'key' as const, keyType, organizationId, agentId }
    if (isRecheck) return { actor, rate: null, refund: () => {} }
    const counted = `${keyType} ${agentId}`
    if (keyType === 'public') {
      const share = Math.max(1, Math.floor(rateLimit * maxShareOfNetwork))
      await takeRate(rate, { name: 'key-address', key: `${counted} ${networkOf(ip)}`, limit: share }, (wait) => {
        return `Your network may send ${requests(share)} a minute with this key. Try again in ${wait}.`
      })
    }
    const state = await takeRate(rate, { name: 'key', key: counted, limit: rateLimit }, (wait) => {
      return `This key may send ${requests(rateLimit)} a minute. Try again in ${wait}.`
    })
    return { actor, rate: state, refund: () => void rate.refund(counted) }
  }
}

function requests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`
}

function isAllowedOrigin(allowed: string, origin: string | null): boolean {
  const origins = entriesOf(allowed)
  return origins.length === 0 || (origin !== null && origins.includes(origin))
}

function originNotAllowed(origin: string | null): AppError {
  if (origin === 'null')
    return new AppError(
      'forbidden',
      'This public key does not accept calls from sandboxed pages. Add allow-same-origin to the frame, or allow any origin in API Settings.',
    )
  const from = origin === null ? 'calls without an Origin header' : `calls from ${origin}`
  return new AppError('forbidden', `This public key does not accept ${from}. Add the origin in API Settings.`)
}

function assertAddress(allowed: string, ip: string): void {
  const networks = entriesOf(allowed)
  if (networks.length === 0 || networks.some((network) => isInNetwork(ip, network))) return
  throw new AppError('forbidden', `This private key does not accept calls from ${ip}. Add the address in API Settings.`)
}

/** Whether an address is the entry, or is inside the entry's network. Takes IPv4 addresses in their IPv6 form, too. */
export function isInNetwork(ip: string, entry: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  const [network, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : [ipaddr.process(entry), null]
  if (address.kind() !== network.kind()) return false
  return bits === null ? address.toString() === network.toString() : address.match([network, bits])
}
