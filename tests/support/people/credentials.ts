import { eq } from 'drizzle-orm'
import { accessTokens } from '../../../db/schema/access-tokens'
import { sessions } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { hashToken, randomToken } from '../../../server/tokens'
import { issueToken } from './access-token'

export interface Credential {
  /** Of calls of programs. */
  bearer: string | null
  /** Of requests of browsers: a Cookie header. */
  cookie: string | null
}

interface Holder {
  userId: string
  email: string
}

const dayMs = 24 * 3_600_000

/** A session of a browser, with an organization that it has selected; as a Cookie header. */
export async function startSession(
  { db }: Pick<App, 'db'>,
  { userId }: Pick<Holder, 'userId'>,
  organizationId: string | null,
  expiresAt = new Date(Date.now() + 14 * dayMs),
): Promise<string> {
  const token = randomToken()
  const row = { id: hashToken(token), userId, organizationId, expiresAt }
  await db.write((tx) => tx.insert(sessions).values(row))
  return `sitelore=${token}`
}

export async function credentialOf(app: App, holder: Holder, organizationId: string): Promise<Credential> {
  return {
    bearer: await issueToken(app, holder.email),
    cookie: await startSession(app, holder, organizationId),
  }
}

/** A token and a session that have been valid until now. */
export async function expiredCredential(app: App, holder: Holder, organizationId: string): Promise<Credential> {
  const past = new Date(Date.now() - 1_000)
  const bearer = await issueToken(app, holder.email)
  const isIt = eq(accessTokens.tokenHash, hashToken(bearer))
  await app.db.write((tx) => tx.update(accessTokens).set({ expiresAt: past }).where(isIt))
  return { bearer, cookie: await startSession(app, holder, organizationId, past) }
}

/** A token that was revoked, and a session that was ended. */
export async function revokedCredential(app: App, holder: Holder, organizationId: string): Promise<Credential> {
  const credential = await credentialOf(app, holder, organizationId)
  await revoke(app, credential)
  return credential
}

export async function revoke(app: App, { bearer, cookie }: Credential): Promise<void> {
  const isToken = eq(accessTokens.tokenHash, hashToken(bearer ?? ''))
  const [token] = await app.db.read.select({ id: accessTokens.id }).from(accessTokens).where(isToken)
  if (token) await app.services.accessTokens.revoke(system, token.id)
  const isSession = eq(sessions.id, hashToken(cookie?.split('=')[1] ?? ''))
  await app.db.write((tx) => tx.delete(sessions).where(isSession))
}
