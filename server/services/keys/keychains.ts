import { eq } from 'drizzle-orm'
import type { KeychainInput } from '../../../contract/keychain'
import { keyRates } from '../../../contract/limits'
import type { KeychainView } from '../../../contract/views/keychain'
import type { Database, Queries } from '../../../db/database'
import { keychains } from '../../../db/schema/keychains'
import type { Actor } from '../../actor'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { hashToken, randomToken } from '../../tokens'
import { type AgentRef, findAgent } from '../agents/agents'
import { keyPrefixes } from './key-format'

type KeychainRow = typeof keychains.$inferSelect

/** The keys of agents, for administrators. */
export function createKeychains({ db, sealer }: { db: Database; sealer: Sealer }) {
  /** Returns null until an administrator creates the keys. */
  async function get(actor: Actor, ref: AgentRef): Promise<KeychainView | null> {
    authorize(actor, 'keychain:edit', ref.organizationId)
    await findAgent(db.read, ref)
    const row = await findKeychain(db.read, ref.agentId)
    return row && keychainView(row)
  }

  /** Creates the keys, or changes them: renews what `regenerate` names, and replaces the fields that are given. */
  async function save(actor: Actor, ref: AgentRef, input: KeychainInput): Promise<KeychainView> {
    authorize(actor, 'keychain:edit', ref.organizationId)
    const { regenerate, ...settings } = input
    const row = await db.write(async (tx) => {
      await findAgent(tx, ref)
      const before = await findKeychain(tx, ref.agentId)
      if (!before) {
        const keys = { publicKey: newPublicKey(), ...newPrivateKey(ref.organizationId) }
        const [added] = await tx
          .insert(keychains)
          .values({ ...ref, ...keys, rateLimit: keyRates.default, ...settings })
          .returning()
        return added
      }
      const renewed = {
        ...(regenerate === true || regenerate === 'public' ? { publicKey: newPublicKey() } : {}),
        ...(regenerate === true || regenerate === 'private' ? newPrivateKey(ref.organizationId) : {}),
      }
      const changed = { ...before, ...renewed, ...settings }
      const [after] = await tx.update(keychains).set(changed).where(eq(keychains.agentId, ref.agentId)).returning()
      return after
    })
    if (!row) throw new Error('The keychain was not stored.')
    return keychainView(row)
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

  function keychainView(row: KeychainRow): KeychainView {
    return {
      public_key: row.publicKey,
      private_key: sealer.open(row.privateKey, sealingContext(row.organizationId)),
      allowed_ips: row.allowedIps,
      allowed_origins: row.allowedOrigins,
      rate_limit: row.rateLimit,
    }
  }

  return { get, save, publicKey }
}

export async function findKeychain(queries: Queries, agentId: string): Promise<KeychainRow | null> {
  const [row] = await queries.select().from(keychains).where(eq(keychains.agentId, agentId))
  return row ?? null
}

function newPublicKey(): string {
  return keyPrefixes.public + randomToken()
}

function sealingContext(organizationId: string): string {
  return `${organizationId}:keychains.private_key`
}
