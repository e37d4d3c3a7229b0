import { and, desc, eq, inArray, notInArray } from 'drizzle-orm'
import type { KeychainInput } from '../../../contract/organizations/keychain'
import { keyRates } from '../../../contract/values/limits'
import type { KeychainView } from '../../../contract/views/organizations/keychain'
import type { Database, Queries, Transaction } from '../../../db/database'
import { formerPublicKeys, keychains, refusedOrigins } from '../../../db/schema/keychains'
import type { Actor } from '../../actor'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { hashToken, randomToken } from '../../tokens'
import { type AgentRef, findAgent } from '../agents/agents'
import { changedFields, recordEvent } from '../audit/record-event'
import { findOrganization } from '../organizations/organizations'
import { entriesOf, keyPrefixes } from './key-format'

/** Replaced public keys that are remembered of one agent. */
const maxFormerKeys = 20

type KeychainRow = typeof keychains.$inferSelect

/** The keys of agents, for administrators. */
export function createKeychains({ db, sealer }: { db: Database; sealer: Sealer }) {
  /** Returns null until an administrator creates the keys. */
  async function get(actor: Actor, ref: AgentRef): Promise<KeychainView | null> {
    authorize(actor, 'keychain:edit', ref.organizationId)
    await findAgent(db.read, ref)
    const row = await findKeychain(db.read, ref.agentId)
    return row && view(row)
  }

  /** Creates the keys, or changes them: renews what `regenerate` names, and replaces the fields that are given. */
  async function save(actor: Actor, ref: AgentRef, input: KeychainInput): Promise<KeychainView> {
    authorize(actor, 'keychain:edit', ref.organizationId)
    const { regenerate, ...settings } = input
    const row = await db.writeAlone(ref.agentId, async (tx) => {
      await findOrganization(tx, ref.organizationId)
      const { name } = await findAgent(tx, ref)
      const event = { organizationId: ref.organizationId, subject: { id: ref.agentId, name } }
      const before = await findKeychain(tx, ref.agentId)
      if (!before) {
        const keys = { publicKey: newPublicKey(), ...newPrivateKey(ref.organizationId) }
        const [added] = await tx
          .insert(keychains)
          .values({ ...ref, ...keys, rateLimit: keyRates.default, ...settings })
          .returning()
        await recordEvent(tx, actor, { ...event, action: 'keychain.created' })
        return added
      }
      const renewed = {
        ...(regenerate === true || regenerate === 'public' ? { publicKey: newPublicKey() } : {}),
        ...(regenerate === true || regenerate === 'private' ? newPrivateKey(ref.organizationId) : {}),
      }
      const changed = { ...before, ...renewed, ...settings }
      const [after] = await tx.update(keychains).set(changed).where(eq(keychains.agentId, ref.agentId)).returning()
      if (changed.publicKey !== before.publicKey) await retirePublicKey(tx, before)
      const { privateKeyHash: _, ...readable } = changed
      const changes = changedFields(before, readable)
      const action = Object.keys(renewed).length > 0 ? 'keychain.regenerated' : 'keychain.edited'
      if (changes.length > 0) await recordEvent(tx, actor, { ...event, action, changes })
      return after
    })
    if (!row) throw new Error('The keychain was not stored.')
    await forgetAllowed(row)
    return view(row)
  }

  /** Returns the public key, which every visitor of a page with the widget sees; null without a keychain. */
  async function publicKey(actor: Actor, ref: AgentRef): Promise<string | null> {
    authorize(actor, 'agent:read', ref.organizationId)
    await findAgent(db.read, ref)
    return (await findKeychain(db.read, ref.agentId))?.publicKey ?? null
  }

  function newPrivateKey(organizationId: string): Pick<KeychainRow, 'privateKey' | 'privateKeyHash'> {
    const key = keyPrefixes.private + randomToken()
    return { privateKey: sealer.seal(key, sealingContext(organizationId)), privateKeyHash: hashToken(key) }
  }

  /** An origin that is allowed now is not reported as refused any more. */
  async function forgetAllowed({ agentId, allowedOrigins }: KeychainRow): Promise<void> {
    const allowed = entriesOf(allowedOrigins)
    const condition = eq(refusedOrigins.agentId, agentId)
    const forgotten = allowed.length === 0 ? condition : and(condition, inArray(refusedOrigins.origin, allowed))
    await db.writeOne((tx) => tx.delete(refusedOrigins).where(forgotten))
  }

  async function view(row: KeychainRow): Promise<KeychainView> {
    const refused = await db.read
      .select()
      .from(refusedOrigins)
      .where(eq(refusedOrigins.agentId, row.agentId))
      .orderBy(desc(refusedOrigins.lastAt))
    return {
      public_key: row.publicKey,
      private_key: sealer.open(row.privateKey, sealingContext(row.organizationId)),
      allowed_ips: row.allowedIps,
      allowed_origins: row.allowedOrigins,
      rate_limit: row.rateLimit,
      daily_messages: row.dailyMessages,
      refused_origins: refused.map(({ origin, count, lastAt }) => ({ origin, count, last_at: lastAt.toISOString() })),
    }
  }

  return { get, save, publicKey }
}

export async function findKeychain(queries: Queries, agentId: string): Promise<KeychainRow | null> {
  const [row] = await queries.select().from(keychains).where(eq(keychains.agentId, agentId))
  return row ?? null
}

/** Remembers the hash of a key that is replaced, and forgets the oldest ones. */
async function retirePublicKey(tx: Transaction, { agentId, publicKey }: KeychainRow): Promise<void> {
  await tx.insert(formerPublicKeys).values({ agentId, keyHash: hashToken(publicKey), retiredAt: new Date() })
  const condition = eq(formerPublicKeys.agentId, agentId)
  const latest = tx
    .select({ keyHash: formerPublicKeys.keyHash })
    .from(formerPublicKeys)
    .where(condition)
    .orderBy(desc(formerPublicKeys.retiredAt))
    .limit(maxFormerKeys)
  await tx.delete(formerPublicKeys).where(and(condition, notInArray(formerPublicKeys.keyHash, latest)))
}

function newPublicKey(): string {
  return keyPrefixes.public + randomToken()
}

function sealingContext(organizationId: string): string {
  return `${organizationId}:keychains.private_key`
}
