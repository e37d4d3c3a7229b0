import { and, desc, eq, gt, inArray, isNull, lt, lte, ne, or } from 'drizzle-orm'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database, Transaction } from '../../../db/database'
import { oidcPayloads } from '../../../db/schema/users'
import { contains } from '../../../db/sql'
import { explainStorageFull } from './storage-full'

/** Models that are revoked with their grant. */
const grantModels = new Set([
  'AccessToken',
  'AuthorizationCode',
  'RefreshToken',
  'DeviceCode',
  'BackchannelAuthenticationRequest',
])

/** Models that anonymous requests create: started sign-ins, and sessions without an account. */
const anonymousModels = ['Interaction', 'Session']
/** Limit of their rows that expire within the hour. A sign-in takes minutes, a session of a person lasts days. */
export const maxShortLivedRows = 5_000
const shortLivedSeconds = 3600

/** Stores the models of oidc-provider in one table. */
export function createOidcAdapter(db: Database, model: string): Adapter {
  const idOf = (id: string) => `${model}:${id}`

  return {
    async upsert(id, payload, expiresIn) {
      const row = {
        model,
        payload: JSON.stringify(payload),
        grantId: grantModels.has(model) ? (payload.grantId ?? null) : null,
        userCode: payload.userCode ?? null,
        uid: payload.uid ?? null,
        expiresAt: expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
      }
      const written = db.write(async (tx) => {
        await tx
          .insert(oidcPayloads)
          .values({ id: idOf(id), ...row })
          .onConflictDoUpdate({ target: oidcPayloads.id, set: row })
        if (expiresIn && expiresIn <= shortLivedSeconds && anonymousModels.includes(model))
          await limitShortLivedRows(tx)
      })
      await written.catch(explainStorageFull)
    },
    find: (id) => findOne(eq(oidcPayloads.id, idOf(id))),
    findByUid: (uid) => findOne(and(eq(oidcPayloads.model, model), eq(oidcPayloads.uid, uid))),
    findByUserCode: (code) => findOne(and(eq(oidcPayloads.model, model), eq(oidcPayloads.userCode, code))),
    async consume(id) {
      const consumed = db.writeOne((tx) =>
        tx
          .update(oidcPayloads)
          .set({ consumedAt: new Date() })
          .where(eq(oidcPayloads.id, idOf(id))),
      )
      await consumed.catch(explainStorageFull)
    },
    async destroy(id) {
      await db.writeOne((tx) => tx.delete(oidcPayloads).where(eq(oidcPayloads.id, idOf(id)))).catch(explainStorageFull)
    },
    async revokeByGrantId(grantId) {
      await db
        .writeOne((tx) => tx.delete(oidcPayloads).where(eq(oidcPayloads.grantId, grantId)))
        .catch(explainStorageFull)
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

/** Deletes the short-lived rows that expire first, so that anonymous requests cannot fill the disk. */
async function limitShortLivedRows(tx: Transaction): Promise<void> {
  const isAnonymous = inArray(oidcPayloads.model, anonymousModels)
  const [surplus] = await tx
    .select({ expiresAt: oidcPayloads.expiresAt })
    .from(oidcPayloads)
    .where(and(isAnonymous, lte(oidcPayloads.expiresAt, new Date(Date.now() + shortLivedSeconds * 1000))))
    .orderBy(desc(oidcPayloads.expiresAt))
    .limit(1)
    .offset(maxShortLivedRows)
  if (surplus?.expiresAt)
    await tx.delete(oidcPayloads).where(and(isAnonymous, lte(oidcPayloads.expiresAt, surplus.expiresAt)))
}

/** Deletes the sessions, grants and tokens of an account, except for the session with the uid `remainingSession`. */
export async function forgetAccount(
  tx: Transaction,
  accountId: string,
  remainingSession: string | null = null,
): Promise<void> {
  const isOther =
    remainingSession === null ? undefined : or(isNull(oidcPayloads.uid), ne(oidcPayloads.uid, remainingSession))
  await tx.delete(oidcPayloads).where(and(contains(oidcPayloads.payload, `"accountId":"${accountId}"`), isOther))
}

/** Deletes the sessions with these uids. */
export async function endProviderSessions(tx: Transaction, uids: string[]): Promise<void> {
  await tx.delete(oidcPayloads).where(and(eq(oidcPayloads.model, 'Session'), inArray(oidcPayloads.uid, uids)))
}

/** The sign-in in which the embedded provider issued a code. */
export interface ProviderSignIn {
  /** The uid of its session. */
  session: string | null
  /** How the person proved who they are, such as 'pwd' and 'otp'. */
  methods: string[]
}

/** Null for an unknown code. */
export async function signInOfCode(db: Database, code: string): Promise<ProviderSignIn | null> {
  const [row] = await db.read
    .select({ payload: oidcPayloads.payload })
    .from(oidcPayloads)
    .where(eq(oidcPayloads.id, `AuthorizationCode:${code}`))
  if (!row) return null
  const { sessionUid, amr } = JSON.parse(row.payload)
  return {
    session: typeof sessionUid === 'string' ? sessionUid : null,
    methods: Array.isArray(amr) ? amr.filter((method) => typeof method === 'string') : [],
  }
}

export async function sweepPayloads(db: Database): Promise<void> {
  await db.writeOne((tx) => tx.delete(oidcPayloads).where(lt(oidcPayloads.expiresAt, new Date())))
}
