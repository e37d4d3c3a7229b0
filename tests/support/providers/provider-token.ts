import { eq } from 'drizzle-orm'
import { importJWK, SignJWT } from 'jose'
import { accounts } from '../../../db/schema/users'
import type { App } from '../../../server/app'
import { openSecrets } from '../../../server/identity/secrets'

/** An access token of the embedded provider for the account with this e-mail address, as a sign-in gets one. */
export async function issueProviderToken({ config, db }: App, email: string, ttlSeconds = 600): Promise<string> {
  const { signingKey } = openSecrets(config.secretsDir)
  const [account] = await db.read.select().from(accounts).where(eq(accounts.emailNormalized, email))
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ client_id: 'sitelore', scope: '' })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: signingKey.kid })
    .setIssuer(`${config.publicUrl}/oidc`)
    .setAudience(`${config.publicUrl}/v1`)
    .setSubject(account?.id ?? '')
    .setIssuedAt(now)
    .setExpirationTime(now + ttlSeconds)
    .sign(await importJWK(signingKey, 'RS256'))
}
