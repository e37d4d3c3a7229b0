import { and, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database, Transaction } from '../../../db/database'
import { oidcPayloads } from '../../../db/schema/users'
import { contains } from '../../../db/sql'

/** Models that belong to a grant and end with it. */
const ofGrants = new Set([
  'AccessToken',
  'AuthorizationCode',
  'RefreshToken',
  'DeviceCode',
  'BackchannelAuthenticationRequest',
])

/** Keeps whatever oidc-provider wants kept, of every model, in one table. */
export function createOidcAdapter(db: Database, model: string): Adapter {
  const idOf = (id: string) => `${model}:${id}`

  return {
    async upsert(id, payload, expiresIn) {
      const row = {
        model,
        payload: JSON.stringify(payload),
        grantId: ofGrants.has(model) ? (payload.grantId ?? null) : null,
        userCode: payload.userCode ?? null,
        uid: payload.uid ?? null,
        expiresAt: expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
      }
      await db.writeOne((tx) =>
        tx
          .insert(oidcPayloads)
          .values({ id: idOf(id), ...row })
          .onConflictDoUpdate({ target: oidcPayloads.id, set: row }),
      )
    },
    find: (id) => findOne(eq(oidcPayloads.id, idOf(id))),
    findByUid: (uid) => findOne(and(eq(oidcPayloads.model, model), eq(oidcPayloads.uid, uid))),
    findByUserCode: (code) => findOne(and(eq(oidcPayloads.model, model), eq(oidcPayloads.userCode, code))),
    async consume(id) {
      await db.writeOne((tx) =>
        tx
          .update(oidcPayloads)
          .set({ consumedAt: new Date() })
          .where(eq(oidcPayloads.id, idOf(id))),
      )
    },
    async destroy(id) {
      await db.writeOne((tx) => tx.delete(oidcPayloads).where(eq(oidcPayloads.id, idOf(id))))
    },
    async revokeByGrantId(grantId) {
      await db.writeOne((tx) => tx.delete(oidcPayloads).where(eq(oidcPayloads.grantId, grantId)))
    },
  }

  async function findOne(condition: ReturnType<typeof and>): Promise<AdapterPayload | undefined> {
    const alive = or(isNull(oidcPayloads.expiresAt), gt(oidcPayloads.expiresAt, new Date()))
    const [row] = await db.read.select().from(oidcPayloads).where(and(condition, alive))
    if (!row) return undefined
    const consumed = row.consumedAt ? { consumed: Math.floor(row.consumedAt.getTime() / 1000) } : {}
    return { ...JSON.parse(row.payload), ...consumed }
  }
}

/** Ends everything that the provider keeps for an account: its sessions, grants and tokens. */
export async function forgetAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(oidcPayloads).where(contains(oidcPayloads.payload, `"accountId":"${accountId}"`))
}

export async function sweepPayloads(db: Database): Promise<void> {
  await db.writeOne((tx) => tx.delete(oidcPayloads).where(lt(oidcPayloads.expiresAt, new Date())))
}
